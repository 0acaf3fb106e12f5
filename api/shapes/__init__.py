"""What bodies and answers hold, a file for each subject: `…Body` is sent, `…Shape` is answered."""
