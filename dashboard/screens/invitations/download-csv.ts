export function downloadCsv(csv: string, name: string): void {
  const link = document.createElement('a');
  // Spreadsheets read UTF-8 only after a byte order mark.
  link.href = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
