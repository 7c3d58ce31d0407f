// Writes numbers as explorer/packing.py does, one byte at a time: what assets/kit/packing.js must read.

export async function packed(array) {
  const bytes = new Uint8Array(array.buffer);
  const size = array.BYTES_PER_ELEMENT;
  const planes = [];
  for (let place = 0; place < size; place += 1) {
    for (let i = place; i < bytes.length; i += size) planes.push(bytes[i]);
  }
  const stream = new Blob([Uint8Array.from(planes)])
    .stream()
    .pipeThrough(new CompressionStream("deflate"));
  return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
}
