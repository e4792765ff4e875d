// What is wrong with the page that is open. It runs in the browser, so it stands for itself.

export function findings() {
  const found = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) found.push(`it is ${document.documentElement.scrollWidth} pixels wide`);

  // The boxes of all texts: one for each line of each text node.
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest('desc, title, script, style')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      boxes.push({ text: node.data.trim().slice(0, 40), parent, left: box.left, right: box.right, top: box.top + scrollY, bottom: box.bottom + scrollY });
    }
  }
  if (boxes.length < 10) found.push(`only ${boxes.length} texts can be seen`);

  for (const box of boxes) {
    if (box.right - box.left < 1) found.push(`"${box.text}" has no width`);
    const frame = box.parent.closest('svg')?.getBoundingClientRect();
    const [left, right] = frame ? [frame.left, frame.right] : [0, width];
    if (box.left < left - 0.5 || box.right > right + 0.5) found.push(`"${box.text}" leaves its frame: ${box.left} to ${box.right}`);
    if (frame && (box.top < frame.top + scrollY - 2 || box.bottom > frame.bottom + scrollY + 2)) found.push(`"${box.text}" is cut off`);
    if (parseFloat(getComputedStyle(box.parent).fontSize) < 11) found.push(`"${box.text}" is too small`);
    const contrast = contrastOf(box.parent);
    if (contrast < 4.5) found.push(`"${box.text}" has a contrast of ${contrast.toFixed(1)}`);
  }

  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, at) => {
    for (const b of boxes.slice(at + 1)) {
      if (b.top >= a.bottom - 1) break;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Letters do not fill the height of their box.
      if (wide > 1 && high > 6) found.push(`"${a.text}" and "${b.text}" overlap`);
    }
  });

  // Texts that are on a bar, or of which a bar is on top.
  for (const bar of document.querySelectorAll('svg rect:not(.frame)')) {
    const box = bar.getBoundingClientRect();
    for (const text of bar.closest('svg').querySelectorAll('text')) {
      const other = text.getBoundingClientRect();
      if (Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1
        && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 2) {
        found.push(`"${text.textContent}" is on a bar`);
      }
    }
  }

  for (const svg of document.querySelectorAll('svg:not([aria-hidden])')) {
    if (!svg.getAttribute('aria-label') || !svg.querySelector('desc')?.textContent) found.push('a picture has no text');
  }
  if (document.scripts.length) found.push('it has a script');
  return found;

  function contrastOf(element) {
    const style = getComputedStyle(element);
    const text = channels(element.closest('svg') ? style.fill : style.color);
    let behind = element;
    while (behind && channels(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
    const page = behind ? channels(getComputedStyle(behind).backgroundColor) : [255, 255, 255, 1];
    const [light, dark] = [luminance(text), luminance(page)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  function channels(colour) {
    const numbers = colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return numbers.length === 3 ? [...numbers, 1] : numbers;
  }

  // As WCAG 2 defines it.
  function luminance(colour) {
    const [red, green, blue] = colour.slice(0, 3).map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}
