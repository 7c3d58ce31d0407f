// Numbers packed by explorer/exchange/packing.py: base64, deflate, bytes grouped by significance.

/**
 * The numbers of a packed text as an array of the given type: unpack(text, Float32Array).
 * @template T
 * @param {string} text
 * @param {{new (buffer: ArrayBuffer): T, BYTES_PER_ELEMENT: number}} ArrayType
 */
export async function unpack(text, ArrayType) {
  const deflated = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = ArrayType.BYTES_PER_ELEMENT;
  const count = planes.length / size;
  const bytes = new Uint8Array(planes.length);
  for (let place = 0; place < size; place += 1) {
    for (let i = 0; i < count; i += 1) bytes[i * size + place] = planes[place * count + i];
  }
  return new ArrayType(bytes.buffer);
}

/** The numbers of an array as the text that `unpack` reads. @param {any} array a typed array */
export async function pack(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const [size, count] = [array.BYTES_PER_ELEMENT, array.length];
  const planes = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i += 1)
    planes[(i % size) * count + ((i / size) | 0)] = bytes[i];
  const stream = new Blob([planes]).stream().pipeThrough(new CompressionStream("deflate"));
  const deflated = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of deflated) letters += String.fromCharCode(byte);
  return btoa(letters);
}
