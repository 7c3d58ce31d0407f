"""Protection for Gradio's queue: limits on the size of requests and the age of replies."""
