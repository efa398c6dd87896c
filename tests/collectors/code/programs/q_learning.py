"""A small agent that calls its model directly, step by step."""

import random
from collections import deque

import gymnasium as gym
import numpy as np
import tensorflow as tf

environment = gym.make("CartPole-v1")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(24, activation="relu"), tf.keras.layers.Dense(2)])
target = tf.keras.models.clone_model(model)
optimizer = tf.keras.optimizers.Adam(learning_rate=1e-3)
memory = deque(maxlen=2000)
epsilon = 1.0


@tf.function
def learn(states, actions, goals):
    with tf.GradientTape() as tape:
        values = tf.reduce_sum(model(states) * tf.one_hot(actions, 2), axis=1)
        loss = tf.reduce_mean(tf.square(goals - values))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for episode in range(200):
    state, _ = environment.reset()
    done, losses = False, []
    while not done:
        if random.random() < epsilon:
            action = environment.action_space.sample()
        else:
            action = int(np.argmax(model(state[None])))
        following, reward, done, _, _ = environment.step(action)
        memory.append((state, action, reward, following, done))
        state = following
        if len(memory) >= 64:
            states, actions, rewards, nexts, dones = map(np.array, zip(*random.sample(memory, 64)))
            goals = rewards + 0.99 * np.max(target(nexts), axis=1) * (1 - dones)
            loss = learn(tf.constant(states, tf.float32), tf.constant(actions, tf.int32), tf.constant(goals, tf.float32))
            losses.append(float(loss))
    epsilon = max(0.05, epsilon * 0.99)
    if episode % 10 == 0:
        target.set_weights(model.get_weights())
        print(episode, np.mean(losses) if losses else None)
