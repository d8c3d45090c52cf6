"""Par sheets: what is offered, each line solved, and the sheet as text, JSON, PDF and spreadsheet."""
