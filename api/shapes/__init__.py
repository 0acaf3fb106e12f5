"""Shapes of bodies and answers, a file for each subject: `…Body` is sent, `…Shape` is answered."""
