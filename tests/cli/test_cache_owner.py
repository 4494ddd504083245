"""What `--cache` finds beside a text is used only if its owner is the user or the text's owner, and nobody else may write it."""

import os
import unittest

from program import CommandLineTest

ROWS = "1 1:0 2:1\n-1 1:2 2:1\n1 1:1 2:0\n-1 1:3 2:1\n"
NOBODY = 65534


class CacheOwner(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("rows.svm", ROWS)
        self.pages = self.folder / "rows.svm.lsp"
        self.model = self.train()

    def train(self):
        self.run_program("train", "rows.svm", "--cache", "-o", "model.json")
        return (self.folder / "model.json").read_bytes()

    def is_kept(self):
        """Whether the next run uses the pages that are there, rather than making them anew."""
        before = self.pages.stat()
        self.assertEqual(self.train(), self.model)
        return self.pages.stat().st_mtime_ns == before.st_mtime_ns

    def test_what_the_program_made_is_used(self):
        self.assertTrue(self.is_kept())
        self.assertEqual(self.pages.stat().st_mode & 0o022, 0)

    def test_pages_that_others_may_write_are_made_anew(self):
        for mode in (0o646, 0o664, 0o602):
            self.pages.chmod(mode)
            self.assertFalse(self.is_kept(), oct(mode))
            self.assertEqual(self.pages.stat().st_mode & 0o022, 0)
            self.assertTrue(self.is_kept())

    def test_of_a_text_that_others_may_write_pages_are_the_owners(self):
        self.pages.unlink()
        (self.folder / "rows.svm").chmod(0o666)
        self.train()
        self.assertEqual(self.pages.stat().st_mode & 0o022, 0)
        self.assertTrue(self.is_kept())

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files to others")
    def test_pages_of_another_user_are_made_anew(self):
        os.chown(self.pages, NOBODY, NOBODY)
        self.assertFalse(self.is_kept())
        self.assertEqual(self.pages.stat().st_uid, 0)
        self.assertTrue(self.is_kept())

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files to others")
    def test_pages_of_the_texts_owner_are_used(self):
        os.chown(self.folder / "rows.svm", NOBODY, NOBODY)
        self.train()  # the text was touched
        os.chown(self.pages, NOBODY, NOBODY)
        self.assertTrue(self.is_kept())


if __name__ == "__main__":
    unittest.main()
