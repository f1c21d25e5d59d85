"""Works in an instrumented library, in processes that multiprocessing makes and
ends: multiprocessing_suite.py START-METHOD LIBRARY. 139 calls of in_worker() in
them, one of in_parent()."""
import ctypes
import multiprocessing
import sys
import time

library = ctypes.CDLL(sys.argv[2])


def work(n):
    for _ in range(n):
        library.in_worker()
    return n


def work_for_ever(queue):
    work(7)
    queue.put(7)
    time.sleep(1000)


def main():
    multiprocessing.set_start_method(sys.argv[1])
    library.in_parent()
    # Its processes are terminated at the end.
    with multiprocessing.Pool(4) as pool:
        assert sum(pool.map(work, [5] * 20, 1)) == 100
    queue = multiprocessing.Queue()
    processes = [
        multiprocessing.Process(target=work_for_ever, args=(queue,)) for _ in range(4)
    ]
    for process in processes:
        process.start()
    for process in processes:
        queue.get()
    for process, end in zip(processes, ("terminate", "kill") * 2):
        getattr(process, end)()
        process.join()
    process = multiprocessing.Process(target=work, args=(11,))
    process.start()
    process.join()
    codes = [process.exitcode for process in processes + [process]]
    assert codes == [-15, -9, -15, -9, 0], codes


if __name__ == "__main__":
    main()
