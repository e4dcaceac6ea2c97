/** Distinguishes HTML that only formats text from HTML that could run code or load pages. */

/** Tags without attributes, or with formatting attributes only. */
const PLAIN_TAG =
  /^\/?(?:b|i|u|s|p|br|hr|em|strong|small|big|sub|sup|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|div|span|center|font|pre|code|blockquote)(?: +(?:align|valign|width|height|border|cellpadding|cellspacing|bgcolor|color|size|colspan|rowspan)="[\w#%. -]*")* *\/?$/i;
const LINK_TAG =
  /^(?:a href="https?:\/\/[^"<>\s]*"(?: target="_blank")?|img src="https?:\/\/[^"<>\s]*"(?: (?:width|height|alt)="[^"<>]*")* *\/?|\/a)$/i;

/** Whether every tag of the text is in the list of harmless ones. Linear. */
export function isHarmlessHtml(text: string): boolean {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const end = text.indexOf('>', at);
    if (end < 0 || end - at > 1000) return false;
    const tag = text.slice(at + 1, end);
    if (!PLAIN_TAG.test(tag) && !LINK_TAG.test(tag)) return false;
    at = end;
  }
  return true;
}
