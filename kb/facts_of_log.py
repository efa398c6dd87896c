"""Facts that are read from the pasted text (``log.*``): by collectors, or captured by an entry's signatures.

One field per fact, so that everything the text can show is listed in one place. Sizes are MiB (floats); versions, shapes
and names are strings as the text writes them.
"""

import typing

from pydantic import BaseModel, ConfigDict, Field


class Log(BaseModel):
    """What the text says about the failure itself; facts about the machine have their own paths."""

    model_config = ConfigDict(extra="forbid", strict=True)

    exception: str | None = Field(None, description="class of the primary exception, without its module")
    failed_shape: str | None = Field(None, description="shape of the tensor that could not be allocated, as '32,224,224,3'")
    failed_dtype: str | None = None
    failed_op: str | None = Field(None, description="op or node that failed")
    gpu_index: str | None = None
    device: str | None = Field(None, description="device named by the failure, as '/device:GPU:0'")
    requested_mib: float | None = Field(None, description="memory that the failing allocation asked for")
    limit_mib: float | None = Field(None, description="allocator statistics: Limit")
    in_use_mib: float | None = Field(None, description="allocator statistics: InUse")
    gpu_created: bool | None = Field(None, description="the log shows that a GPU device was created")
    gpu_device_memory_mib: float | None = Field(None, description="memory of the created GPU device")
    tasks_missing: int | None = Field(
        None, description="tasks of the cluster that a worker last waited for, such as 1 in 'Waiting for 1/2 tasks'"
    )
    cluster_ready: bool | None = Field(None, description="the workers have found each other")
    gpu_unused: bool | None = Field(None, description="TensorFlow says that it found no usable GPU, driver or CUDA library")
    gpu_wanted: bool | None = Field(None, description="the text asks for a GPU: lists devices, names a GPU package or device")
    told_solved: bool | None = Field(None, description="the user reports that the problem is solved, and asks nothing")
    asks_for_feature: bool | None = Field(
        None, description="the user asks for a feature or proposes a change, and tells of no trouble"
    )
    tensorflow_1_ran: bool | None = Field(None, description="the text shows that a session of TensorFlow 1 was made")
    gpu_ignored: bool | None = Field(None, description="the log says that a GPU was skipped")
    steps_done: int | None = Field(None, description="training steps that progress lines show")
    steps_announced: int | None = Field(None, description="steps that a custom loop counts towards, such as 400 in 'step 80/400'")
    announced_steps_missing: bool | None = Field(
        None, description="the last of these steps is further from the announced number than the printed ones are from each other"
    )
    epochs_done: int | None = None
    epochs_announced: int | None = None
    metrics_stand_still: bool | None = Field(
        None, description="the finished epochs print the same loss and the same low accuracy again and again"
    )
    accuracy_fits_no_loss: bool | None = Field(
        None,
        description="the finished epochs print an accuracy near zero, and the last loss is too small to be a cross-entropy",
    )
    training_collapses: bool | None = Field(
        None, description="the accuracy of training was high, and then it falls and stays low"
    )
    validation_diverges: bool | None = Field(
        None,
        description="over the finished epochs, the training loss falls, and the validation loss stays far above it and does not fall",
    )
    validation_far_below: bool | None = Field(
        None, description="the last accuracy of validation is at least 0.3 below a high accuracy of training, or 0.45 below any"
    )
    score_above_one: bool | None = Field(
        None, description="the loss is negative, and a score that cannot be above 1 (IoU, Dice, F1) is above 1"
    )
    missing_library: str | None = Field(None, description="soname that could not be loaded")
    missing_name: str | None = Field(None, description="public name that does not exist, with its place: tf.data.AUTOTUN")
    missing_member: str | None = Field(None, description="attribute that Python says an object does not have")
    missing_member_of: str | None = Field(None, description="the class of that object, as Python prints it")
    rejected_argument: str | None = Field(None, description="keyword argument that Python says a function does not take")
    rejected_by: str | None = Field(
        None, description="that function, as Python prints it: EarlyStopping.__init__, or the class called"
    )
    missing_module: str | None = Field(None, description="module that could not be imported")
    tensorflow_releases: str | None = Field(
        None, description="releases of TensorFlow in which the text is possible, as '2.4 to 2.8', if it states no version"
    )
    keras_releases: str | None = Field(None, description="the same for Keras")
    loaded_cudnn: str | None = Field(None, description="cuDNN version found at run time")
    compiled_cudnn: str | None = Field(None, description="cuDNN version that TensorFlow was compiled with")
    cuinit_error: str | None = Field(None, description="what cuInit returned, as 'UNKNOWN ERROR (303)' or 'CUDA_ERROR_NO_DEVICE'")
    cudnn_status: str | None = Field(None, description="cuDNN status of the failure, for example CUDNN_STATUS_ALLOC_FAILED")
    cublas_status: str | None = Field(None, description="cuBLAS status of the failure, for example CUBLAS_STATUS_NOT_INITIALIZED")
    minimum_compute_capability: str | None = Field(
        None, description="lowest compute capability that this build requires, according to the log"
    )
    kernel_version: str | None = Field(None, description="driver version of the kernel module")
    library_version: str | None = Field(None, description="driver version of the user-space library")
    expected_shape: str | None = None
    found_shape: str | None = None
    expected_dtype: str | None = None
    found_dtype: str | None = None
    expected_rank: int | None = None
    found_rank: int | None = None
    layer: str | None = Field(None, description="layer named by the failure")
    call_shape: str | None = Field(
        None, description="shape of the input of the layer or model whose call failed, as Keras lists it"
    )
    input_shape: str | None = Field(
        None, description="shape of the model's input, without the batch axis, as the code in the text declares it"
    )
    layer_in_chain: bool | None = Field(
        None, description="the line that failed calls the layer on the result of another one, as x = Conv2D(8, 3)(x) does"
    )
    argument: str | None = Field(None, description="argument or keyword named by the failure")
    name: str | None = Field(None, description="module, attribute, class or variable named by the failure")
    path: str | None = Field(None, description="file or folder named by the failure")
    replicas: int | None = Field(None, description="replicas or devices of the strategy")
    strategy: str | None = Field(None, description="class of the tf.distribute strategy")
    workers: int | None = Field(None, description="workers whose lines are in the text")
    hosted_notebook: typing.Literal["colab", "kaggle", "databricks"] | None = Field(
        None, description="hosted notebook whose paths show"
    )
    fatal_python_error: str | None = Field(None, description="what follows 'Fatal Python error:'")
    scheduler: typing.Literal["slurm", "kubernetes", "lsf", "pbs"] | None = Field(
        None, description="scheduler that ended the job"
    )
    scheduler_verdict: (
        typing.Literal["time-limit", "memory-limit", "disk-limit", "preempted", "evicted", "cancelled", "node-failed"] | None
    ) = Field(None, description="why the scheduler ended the job")
    requested_memory_mib: float | None = Field(None, description="host memory that the job asked its scheduler for")
    peak_in_use_mib: float | None = Field(None, description="allocator statistics: MaxInUse")
    unreserved_mib: float | None = Field(None, description="GPU memory below the allocator's limit that it has not reserved yet")
    memory_rises: bool | None = Field(
        None, description="the memory use that the program prints still rises in the second half of these lines"
    )
    host_allocation_mib: float | None = Field(None, description="largest single host allocation that the log warns of")
    loss_explodes: bool | None = Field(
        None, description="a printed loss is thousands of times the first one, or too large for any loss that is a mean"
    )
    loss_is_nan: bool | None = Field(None, description="a printed loss is NaN or infinite")
    loss_finite_before_nan: bool | None = Field(None, description="a printed loss was finite before the first NaN")
    installed_from: typing.Literal["source", "binary"] | None = Field(
        None, description="how TensorFlow was installed, according to an issue form"
    )
    cluster_workers: int | None = Field(
        None, description="number of workers, including the chief, that TF_CONFIG or the strategy names"
    )
    task: str | None = Field(None, description="this process in the cluster, as 'worker:1'")
    killed_resident_mib: float | None = Field(None, description="resident memory of the process that the kernel killed")
    segfault_in: str | None = Field(None, description="library in which the kernel log places a segmentation fault")
    expected_axis: str | None = Field(None, description="axis whose size is wrong, as the failure names it, for example '-1'")
    expected_size: str | None = Field(None, description="size that this axis must have")
    labels_shape: str | None = Field(None, description="shape of the labels (targets) in a failed loss or metric")
    predictions_shape: str | None = Field(
        None, description="shape of the predictions (logits, outputs) in a failed loss or metric"
    )
    out_of_range_value: str | None = Field(
        None, description="label or index outside its range, as the text writes it, for example '-1'"
    )
    valid_range_end: str | None = Field(None, description="end of the range that labels or indices must stay below")
    job_id: str | None = Field(None, description="number that the scheduler gave the job")
    batches_needed: str | None = Field(None, description="batches that steps_per_epoch times epochs asks for")
    data_ended_in_epoch: int | None = Field(None, description="epoch in which the input first ran out of data, counted from 1")
    nan_in_epoch: int | None = Field(None, description="epoch of the first printed loss that is NaN or infinite, counted from 1")
    protobuf_gencode: str | None = Field(None, description="protobuf version that the code was generated with")
    element_count: str | None = Field(None, description="number of elements that did not fit a 32-bit integer")
    server_target: str | None = Field(None, description="address of this process's gRPC server, as 'grpc://10.0.0.5:2222'")
    stuck_for: str | None = Field(None, description="time after which the fault handler printed the stacks of a stuck program")
