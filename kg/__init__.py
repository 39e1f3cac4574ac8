"""Knowledge graphs of research papers."""
