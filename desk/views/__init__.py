"""The desk's pages, a file for each subject: what is shown is put together here and done below."""
