"""Synonyms, as people type them into a search field.

Only the query is expanded, so an entry needs only one of the words.
"""

# word -> synonyms; two words stand for an adjacent pair
_TABLE = """
oom: out of memory, resourceexhaustederror, killed
vram: gpu memory, card
ram: host memory, machine memory
shm: shared memory
lr: learning rate
cpu: processor
gpu: card, cuda
graphics: gpu
videocard: gpu
nan: infinite, not finite
inf: infinite
freeze: hang
freezes: hang
frozen: hang
stuck: hang, deadlock
deadlock: hang
stall: hang
stalls: hang
hangs: deadlock
segfault: segmentation fault, native code
sigsegv: segmentation fault, native code
crash: dies, native code
crashes: dies, native code
coredump: native code
core: native code
sigill: illegal instruction
sigkill: killed
137: killed, out of memory
139: segmentation fault, native code
132: illegal instruction
stops: ends, silently
stopped: ends, silently
slow: idle, underused
utilization: idle, underused
m1: apple
m2: apple
m3: apple
mac: apple
macos: apple
metal: apple
wsl2: wsl
dll: windows dll
nccl: multi gpu
multigpu: several gpus, multi gpu
mirroredstrategy: strategy, several gpus
horovod: several gpus, workers
ddp: strategy, several gpus
uninstalled: not installed
missing: not found, no module
modulenotfounderror: no module
importerror: cannot import, no module
attributeerror: has no attribute, not have
notfounderror: not found
keyerror: not found
deprecated: removed, no longer
removed: not have, no longer
renamed: not have
upgrade: version, not fit
upgrading: version, not fit
migrate: removed
incompatible: not fit, mismatch
mismatch: not fit, different
mismatched: not fit, different
conflict: not fit, mismatch
abi: not fit
undetected: no gpu
detect: sees
detected: sees
recognized: sees
recognised: sees
invisible: no gpu
find: found, sees
ptx: ptxas
jupyter: notebook kernel, notebook
colab: notebook
kaggle: notebook
ipynb: notebook
slurm: scheduler
kubernetes: scheduler, container
k8s: scheduler, container
docker: container
nfs: file system
enospc: no space
space: disk
reproducible: different result, determinism
seed: reproducible, different result
random: reproducible, different result
nondeterministic: determinism, reproducible
overfit: validation worse, validation
overfitting: validation worse, validation
generalize: validation
accuracy: learn
plateau: not learn
constant: not learn
diverges: nan
exploding: nan
backprop: gradients
retrace: retracing
dataloader: data set
tfdata: data set
dataset: data set
pickle: pickled
serialize: json, pickled
serializable: json
h5: hdf5
savedmodel: saved model
checkpoint: weights
ckpt: checkpoint, weights
restore: load, checkpoint
resume: load, checkpoint
load: loaded
broadcast: compatible shapes
reshape: shapes
dims: shape
dimension: shape
dimensions: shape
ndim: layer input
dtypes: types
casting: dtypes
onehot: labels
categorical: labels
crossentropy: labels, loss
logits: predictions
estimator: tensorflow 1
placeholder: tensorflow 1
session: tensorflow 1
contrib: tensorflow 1
tf1: tensorflow 1
eager: tf.function
symbolic: symbolic tensor
autograph: tf.function
proxy: downloaded
ssl: downloaded
certificate: downloaded
url: downloaded
fd: open files
emfile: open files
ulimit: open files, thread
threads: thread
early: stops, silently
earlystopping: monitors, silently
modelcheckpoint: writes no file
tensorboard: shows no data
venv: system's python
pep668: pip refuses
zsh: shell
apt: system's python
wheel: no matching, pip
conda: install
install: installed, pip
installation: installed, pip
cudart: cuda library
libcudart: cuda library
libcudnn: cudnn library
cublas: matrix product
tensorrt: trt
warning: harmless
warnings: harmless
ignore: harmless
harmless: benign
mask: symbolic tensor
tpu: tpu
quota: disk, space
"""


def table() -> dict[str, list[str]]:
    """Lower-case word -> its synonyms, which may be pairs of words."""
    rows = (line.partition(":") for line in _TABLE.strip().splitlines())
    return {word: [other.strip() for other in others.split(",")] for word, _, others in rows}
