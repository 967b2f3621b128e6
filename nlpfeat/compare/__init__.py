"""Classical and attention features on the same documents, on equal terms."""
