"""Modules of TensorFlow, of Keras, and of libraries that say nothing about the program. Made from origins.yaml by ``python -m tfhelp.kb.origins``."""

# fmt: off
TENSORFLOW = frozenset(('tensorboard', 'tensorflow', 'tensorflow_addons', 'tensorflow_core', 'tensorflow_datasets', 'tensorflow_decision_forests', 'tensorflow_estimator', 'tensorflow_gnn', 'tensorflow_hub', 'tensorflow_io', 'tensorflow_io_gcs_filesystem', 'tensorflow_lattice', 'tensorflow_metal', 'tensorflow_model_optimization', 'tensorflow_probability', 'tensorflow_ranking', 'tensorflow_recommenders', 'tensorflow_text', 'tensorflow_transform', 'tf_agents', 'tf_slim'))
KERAS = frozenset(('keras', 'keras_applications', 'keras_core', 'keras_cv', 'keras_hub', 'keras_nlp', 'keras_preprocessing', 'keras_tuner', 'kerastuner', 'tf_keras'))
NEUTRAL = frozenset(('IPython', 'PIL', '_pytest', 'absl', 'astunparse', 'cloudpickle', 'coverage', 'debugpy', 'decorator', 'dill', 'gast', 'google._upb', 'google.protobuf', 'grpc', 'h5py', 'importlib_metadata', 'importlib_resources', 'ipykernel', 'ipykernel_launcher', 'joblib', 'jupyter_client', 'jupyter_core', 'line_profiler', 'memory_profiler', 'ml_dtypes', 'multiprocess', 'namex', 'nbclient', 'nbconvert', 'numpy', 'opt_einsum', 'optree', 'packaging', 'pkg_resources', 'pluggy', 'pydev', 'pydevd', 'pytest', 'setuptools', 'six', 'termcolor', 'tornado', 'tqdm', 'traitlets', 'tree', 'typing_extensions', 'wrapt'))
DEPENDENTS = frozenset(('autokeras', 'efficientnet', 'gpflow', 'imageai', 'kapre', 'keras_bert', 'keras_contrib', 'keras_retinanet', 'larq', 'mrcnn', 'object_detection', 'scikeras', 'segmentation_models', 'spektral', 'stellargraph', 'tensorforce', 'tensorlayer', 'tf2onnx', 'tflearn'))
SOURCES = frozenset(('external/local_tsl', 'external/local_xla', 'tensorflow', 'third_party/tensorflow', 'tsl', 'xla'))
SHARED_SOURCES = frozenset(('external/org_tensorflow',))
PROCESSES = frozenset(('Python', 'conda', 'horovod', 'ipykernel', 'ipython', 'jupyter', 'main', 'pt_main_thread', 'python', 'ray', 'tensorboard', 'tensorflow', 'tf_', 'train', 'worker'))
INSTALLERS = frozenset(('apt', 'apt-get', 'conda', 'dpkg', 'mamba', 'micromamba', 'pip', 'pip3', 'pipenv', 'poetry', 'uv'))
SHELLS = frozenset(('-bash', 'bash', 'cmd', 'csh', 'dash', 'fish', 'ksh', 'powershell', 'sh', 'tcsh', 'zsh'))
SCHEDULERS = frozenset(('apptainer', 'bsub', 'docker', 'kubelet', 'mpiexec', 'mpirun', 'orted', 'podman', 'prterun', 'qsub', 'salloc', 'sbatch', 'singularity', 'slurmctld', 'slurmd', 'slurmstepd', 'srun'))
RUNTIMES = frozenset(('CUDA', 'LLVM', 'MKL', 'NCCL', 'OMP', 'XLA', 'cuBLAS', 'cuDNN', 'glibc', 'tsl', 'xla'))
CARRIERS = frozenset(('CRON', 'code', 'conmon', 'containerd', 'crio', 'cron', 'docker', 'dockerd', 'gnome-shell', 'gnome-terminal', 'k3s', 'logger', 'nohup', 'podman', 'screen', 'sshd', 'su', 'sudo', 'supervisord', 'systemd', 'tmux', 'xinit'))
OWN_LOGGERS = frozenset(('__main__', 'main', 'root', 'train', 'trainer', 'training'))
NAMESPACES = frozenset(('Eigen', '__cxxabiv1', '__gnu_cxx', '__gnu_debug', 'absl', 'boost', 'cub', 'cudnn_frontend', 'dnnl', 'google', 'grpc', 'grpc_core', 'llvm', 'mlir', 'nccl', 'nsync', 'pybind11', 're2', 'ruy', 'snappy', 'std', 'stream_executor', 'tbb', 'tensorflow', 'tflite', 'thrust', 'tsl', 'xla'))
