"""Texts of pages, papers and answers: their language, and numbers and days in words."""
