"""A physical simulation as one compiled step: many small time steps."""

print("building", flush=True)
import tensorflow as tf

STEPS = 20000


@tf.function
def simulate(place, speed):
    for number in tf.range(STEPS):
        force = -place - 0.1 * speed * tf.abs(speed)
        speed = speed + 0.001 * force
        place = place + 0.001 * speed
    return place, speed


print("simulating", flush=True)
place, speed = simulate(tf.ones((100,)), tf.zeros((100,)))
print("place", float(tf.reduce_mean(place)), flush=True)
