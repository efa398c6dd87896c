# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 180
#
# [tool.tfhelp.files]
# "cat.png" = { base64 = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==" }
# ///
import keras

image = keras.utils.load_img("cat.png", target_size=(32, 32))
pixels = keras.utils.img_to_array(image)
