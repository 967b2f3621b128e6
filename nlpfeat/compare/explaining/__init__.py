"""Why a model says what it says: faithfulness, agreement with classical scores, omission."""
