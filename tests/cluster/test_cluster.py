"""Workers over MPI and Gloo on four hosts (network namespaces, 1 Gbit/s each): the contract of Comm, and what happens when
a worker fails. Skipped where network namespaces can't be made."""

import time
import unittest

import cluster

CHECK = cluster.BUILD / "comm_check"
TIMEOUT = 5  # seconds in which even a worker on a busy machine says something
SOON = 30  # beyond it; a run that doesn't notice what happened goes on for four times as long


class ClusterTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = cluster.set_up()
        if reason:
            raise unittest.SkipTest(reason)
        cls.addClassCleanup(cluster.tear_down)

    def each_engine(self):
        for engine in cluster.engines():
            with self.subTest(engine=engine):
                yield engine

    def run_check(self, engine, *words, code, timeout=TIMEOUT):
        """The words of the workers themselves."""
        run = cluster.Run(engine, CHECK, *words, environment={"LINSEP_WORKER_TIMEOUT": str(timeout)})
        found, output, errors = run.finish(120)
        self.assertEqual(found, code, errors)
        return output.splitlines(), cluster.own_words(errors, "comm_check")


class Contract(ClusterTest):
    def test_every_promise_of_comm_is_kept(self):
        for engine in self.each_engine():
            self.assertEqual(self.run_check(engine, "contract", code=0), (["4 workers, fine"], []))

    def test_a_worker_that_computes_for_longer_than_the_timeout_is_alive(self):
        for engine in self.each_engine():
            output, _ = self.run_check(engine, "compute", 3, code=0, timeout=2)
            self.assertEqual(output, ["4 workers, fine"])

    def test_lengths_that_differ_are_an_error(self):
        for engine in self.each_engine():
            _, words = self.run_check(engine, "lengths", code=4)
            self.assertEqual(len(words), 1)
            self.assertIn("disagree", words[0])


class Errors(ClusterTest):
    def test_the_error_of_one_worker_is_told_once_and_gives_the_exit_code(self):
        for engine in self.each_engine():
            self.assertEqual(self.run_check(engine, "fail", 2, code=3)[1], ["comm_check: a bad shard"])

    def test_an_error_of_all_workers_is_told_once(self):
        for engine in self.each_engine():
            self.assertEqual(self.run_check(engine, "fail-all", 0, code=3)[1], ["comm_check: a bad shard"])

    def test_abort_ends_the_run_with_its_message(self):
        for engine in self.each_engine():
            self.assertEqual(self.run_check(engine, "abort", 1, code=4)[1], ["comm_check: enough"])


class Failures(ClusterTest):
    def harmed(self, engine, rank, how, timeout=TIMEOUT, work="rounds"):
        """Lets a worker of a long run fail: all must end soon. Gives the exit code and what was said."""
        run = cluster.Run(engine, CHECK, work, 120, environment={"LINSEP_WORKER_TIMEOUT": str(timeout)})
        self.addCleanup(cluster.mend)
        run.wait_for_line("running")
        began = time.monotonic()
        cluster.harm(run, rank, how)
        code, _, errors = run.finish(timeout + 2 * SOON)
        self.assertLess(time.monotonic() - began, timeout + SOON)
        self.assertEqual(run.workers_left(), [])
        return code, cluster.own_words(errors, "comm_check"), errors

    def test_a_worker_that_is_killed(self):
        for rank in (0, 2):
            if "gloo" in cluster.engines():
                code, words, _ = self.harmed("gloo", rank, "kill")
                host = cluster.HOSTS[rank]
                self.assertEqual(words, [f"comm_check: worker {rank} ({host}) ended unexpectedly, so the run was stopped"])
                self.assertEqual(code, 4)
        if "mpi" in cluster.engines():  # mpirun is first to see it
            code, _, errors = self.harmed("mpi", 2, "kill")
            self.assertIn("process rank 2 with PID", errors)
            self.assertEqual(code, 128 + 9)

    def test_a_worker_that_hangs(self):
        for engine in self.each_engine():
            rank = {"mpi": 3, "gloo": 0}[engine]
            code, words, errors = self.harmed(engine, rank, "stop")
            host = cluster.HOSTS[rank]
            expected = f"comm_check: worker {rank} ({host}) has not answered for {TIMEOUT} seconds, so the run was stopped"
            self.assertEqual(words, [expected], errors)
            self.assertEqual(code, 4)

    def test_one_that_notices_first_and_ends_keeps_no_other_from_saying_so(self):
        if "gloo" in cluster.engines():
            code, words, errors = self.harmed("gloo", 0, "stop", work="hasty")  # then 1 waits for 0, which is silent, and 2 has ended
            expected = f"comm_check: worker 0 (linsep1) has not answered for {TIMEOUT / 2:g} seconds, so the run was stopped"
            self.assertEqual((words, code), ([expected], 4), errors)

    def test_a_host_without_network(self):
        if "gloo" in cluster.engines():
            code, words, _ = self.harmed("gloo", 1, "network")
            self.assertIn(f"comm_check: worker 1 (linsep2) has not answered for {TIMEOUT} seconds, so the run was stopped", words)
            self.assertEqual(code, 4)
        if "mpi" in cluster.engines():  # mpirun gives up the host, or our workers the worker, whichever is sooner
            cluster.mend()
            code, _, errors = self.harmed("mpi", 1, "network", timeout=8)
            self.assertIn("linsep2", errors)
            self.assertNotEqual(code, 0)


if __name__ == "__main__":
    unittest.main()
