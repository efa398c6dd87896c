/* A stand-in for NVIDIA's libnvidia-ml.so.1 that plays the scenario named by FAKE_NVML. The real pynvml loads it.
 *
 * Only the calls that the GPU probe makes are here; what is missing is answered by the loader itself, as it is with an old
 * driver. Scenarios: none, busy, eight, mig, ecc, lost, mismatch, no-permission, not-loaded, hang, hang-at-gpu, old,
 * throttled, crash, not-utf-8. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *device;
typedef struct { unsigned long long total, free, used; } memory;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } memory_v2;
typedef struct { unsigned gpu, memory; } utilization;
typedef struct { unsigned pid; unsigned long long used; unsigned gpu_instance, compute_instance; } process;

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NO_PERMISSION = 4, INSUFFICIENT_SIZE = 7, NOT_LOADED = 9, GPU_IS_LOST = 15, MISMATCH = 18 };
enum { UNKNOWN = 999 };

static int plays(const char *scenario) {
    const char *chosen = getenv("FAKE_NVML");
    return chosen != NULL && strcmp(chosen, scenario) == 0;
}

static void text(char *to, const char *from, unsigned length) {
    strncpy(to, from, length);
    if (length > 0) to[length - 1] = 0;
}

/* Handles are the index plus one, so that none is the null pointer. */
static long index_of(device handle) { return (long)handle - 1; }

int nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    if (plays("hang")) for (;;) pause();
    if (plays("crash")) abort();
    if (plays("mismatch")) return MISMATCH;
    if (plays("no-permission")) return NO_PERMISSION;
    if (plays("not-loaded")) return NOT_LOADED;
    if (plays("unknown")) return UNKNOWN;
    return SUCCESS;
}
int nvmlShutdown(void) { return SUCCESS; }
const char *nvmlErrorString(int code) { (void)code; return "an error of the fake library"; }

int nvmlSystemGetDriverVersion(char *version, unsigned length) {
    text(version, plays("old") ? "450.80.02" : "550.54.14", length);
    return SUCCESS;
}
int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = plays("old") ? 11000 : 12040; return SUCCESS; }

int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = plays("none") ? 0 : plays("eight") ? 8 : plays("lost") || plays("hang-at-gpu") || plays("not-utf-8") ? 2 : 1;
    return SUCCESS;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, device *handle) {
    if (plays("lost") && index == 1) return GPU_IS_LOST;
    if (plays("hang-at-gpu") && index == 1) for (;;) pause();
    *handle = (device)(long)(index + 1);
    return SUCCESS;
}
int nvmlDeviceGetName(device handle, char *name, unsigned length) {
    const char *usual = plays("not-utf-8") && index_of(handle) == 0 ? "NVIDIA \xff\xfe" : "NVIDIA A100-SXM4-80GB";
    text(name, plays("old") ? "Tesla K80" : usual, length);
    return SUCCESS;
}
int nvmlDeviceGetCudaComputeCapability(device handle, int *major, int *minor) {
    (void)handle;
    *major = plays("old") ? 3 : 8;
    *minor = plays("old") ? 7 : 0;
    return SUCCESS;
}
static unsigned long long used_memory(device handle) {
    return plays("busy") ? 71680ULL << 20 : (unsigned long long)index_of(handle) << 30;
}
/* Like the real library, the first version counts what the driver keeps for itself as used; the second names it. */
static const unsigned long long reserved = 614ULL << 20;
int nvmlDeviceGetMemoryInfo(device handle, memory *info) {
    info->total = 81920ULL << 20;
    info->used = used_memory(handle) + reserved;
    info->free = info->total - info->used;
    return SUCCESS;
}
int nvmlDeviceGetMemoryInfo_v2(device handle, memory_v2 *info) {
    if (plays("old")) return NOT_SUPPORTED;
    info->total = 81920ULL << 20;
    info->used = used_memory(handle);
    info->reserved = reserved;
    info->free = info->total - info->used - reserved;
    return SUCCESS;
}

static int list(unsigned *count, process *processes) {
    if (!plays("busy")) { *count = 0; return SUCCESS; }
    if (processes == NULL || *count < 3) { *count = 3; return INSUFFICIENT_SIZE; }
    process all[3] = {{41, 1024ULL << 20, 0, 0}, {4711, 70000ULL << 20, 0, 0}, {5, ~0ULL, 0, 0}};
    memcpy(processes, all, sizeof all);
    *count = 3;
    return SUCCESS;
}
int nvmlDeviceGetComputeRunningProcesses_v3(device handle, unsigned *count, process *processes) {
    (void)handle;
    return plays("old") ? NOT_SUPPORTED : list(count, processes);
}
int nvmlDeviceGetComputeRunningProcesses_v2(device handle, unsigned *count, process *processes) {
    (void)handle;
    if (!plays("old")) return NOT_SUPPORTED;
    if (processes == NULL || *count < 1) { *count = 1; return INSUFFICIENT_SIZE; }
    processes[0] = (process){77, 2048ULL << 20, 0, 0};
    *count = 1;
    return SUCCESS;
}
int nvmlDeviceGetGraphicsRunningProcesses_v3(device handle, unsigned *count, process *processes) {
    (void)handle;
    if (!plays("busy")) { *count = 0; return SUCCESS; }
    if (processes == NULL || *count < 1) { *count = 1; return INSUFFICIENT_SIZE; }
    processes[0] = (process){41, 1024ULL << 20, 0, 0};   /* the same process computes and draws */
    *count = 1;
    return SUCCESS;
}
int nvmlSystemGetProcessName(unsigned pid, char *name, unsigned length) {
    text(name, pid == 4711 ? "/home/someone/tf/bin/python3 train.py --token secret" : "C:\\Program Files\\Game\\game.exe", length);
    return SUCCESS;
}
int nvmlDeviceGetUtilizationRates(device handle, utilization *rates) {
    (void)handle;
    if (plays("mig")) return NOT_SUPPORTED;
    rates->gpu = plays("busy") ? 97 : 0;
    rates->memory = 0;
    return SUCCESS;
}
int nvmlDeviceGetTemperature(device handle, unsigned sensor, unsigned *celsius) {
    (void)handle; (void)sensor;
    *celsius = plays("throttled") ? 92 : 40;
    return SUCCESS;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(device handle, unsigned long long *reasons) {
    (void)handle;
    *reasons = plays("throttled") ? 0x1 | 0x8 | 0x40 : 0x1;
    return SUCCESS;
}
int nvmlDeviceGetTotalEccErrors(device handle, unsigned kind, unsigned counter, unsigned long long *count) {
    (void)handle;
    /* 1: uncorrected, 0: volatile; any other question gets an answer that would show in a test */
    *count = plays("ecc") ? (kind == 1 && counter == 0 ? 12 : 9999) : 0;
    return plays("old") ? NOT_SUPPORTED : SUCCESS;
}
int nvmlDeviceGetMigMode(device handle, unsigned *current, unsigned *pending) {
    (void)handle;
    *current = *pending = plays("mig");
    return plays("old") ? NOT_SUPPORTED : SUCCESS;
}
int nvmlDeviceGetComputeMode(device handle, unsigned *mode) {
    (void)handle;
    *mode = plays("busy") ? 3 : 0;
    return SUCCESS;
}
