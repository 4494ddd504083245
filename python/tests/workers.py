"""Workers for tests: processes of this machine that run one function each."""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from multiprocessing.connection import wait
from typing import Any

from linsep import cluster

PATIENCE = 400  # seconds; machines of tests are busy


def _work(pipe: Any, rank: int, size: int, work: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    def all_gather(text: str) -> list[str]:
        pipe.send(("gather", text))
        cards = pipe.recv()
        if cards is None:
            raise RuntimeError("a worker ended before all had met")
        return cards

    try:
        with cluster.connect(all_gather, rank, size, **{"timeout": 60.0, **options}) as comm:
            answer = work(comm, *arguments)
        pipe.send(("answer", answer))
    except BaseException as error:  # the test looks at it
        traceback.print_exc()
        pipe.send(("failure", error))


def _tell(pipes: list[Any], cards: list[str] | None) -> None:
    for pipe in pipes:
        pipe.send(cards)


def run(size: int, work: Any, *arguments: Any, **options: Any) -> list[Any]:
    """Call ``work(comm, *arguments)`` in so many processes; return what each returned, or the exception it raised.

    A process that was killed leaves None.
    """
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for rank in range(size):
        here, there = context.Pipe()
        process = context.Process(target=_work, args=(there, rank, size, work, arguments, options))
        process.start()
        there.close()
        pipes.append(here)
        processes.append(process)
    answers: list[Any] = [None] * size
    waiting: dict[int, str] = {}
    open_pipes = dict(enumerate(pipes))
    while open_pipes:
        ready = wait(list(open_pipes.values()), timeout=PATIENCE)
        assert ready, "the workers don't answer"
        for rank, pipe in list(open_pipes.items()):
            if pipe not in ready:
                continue
            try:
                kind, content = pipe.recv()
            except EOFError:  # killed
                kind, content = "end", None
            if kind == "gather":
                waiting[rank] = content
                if len(open_pipes) < size:
                    _tell([pipe], None)
                    waiting.clear()
                elif len(waiting) == size:
                    _tell([pipes[k] for k in waiting], [waiting.pop(k) for k in range(size)])
                continue
            answers[rank] = content
            del open_pipes[rank]
            _tell([pipes[k] for k in waiting], None)  # who waits would wait for ever
            waiting.clear()
    for process in processes:
        process.join(PATIENCE)
        assert process.exitcode in (0, -signal.SIGKILL), process.exitcode
    return answers
