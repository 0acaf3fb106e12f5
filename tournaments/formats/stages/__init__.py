"""From one stage to the next: who goes on and why, previewed before it is applied."""
