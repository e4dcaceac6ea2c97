/** The part of the page's script that fills cards and tables: every text goes in as text, never as markup. */

export const CLIENT_TABLES: string = String.raw`
function element(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}
function textBlock(lines) {
  return element('div', {}, ...lines.map((line, i) => element(i === 0 ? 'strong' : 'div', { textContent: line })));
}
const at = (time) => (time === null ? '' : new Date(time).toISOString().slice(0, 19).replace('T', ' '));
const number = (value, digits) =>
  value === null ? '' : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
function duration(ms) {
  if (ms === null) return '';
  const seconds = Math.round(ms / 1000);
  const two = (value) => String(value).padStart(2, '0');
  return Math.floor(seconds / 3600) + ':' + two(Math.floor(seconds / 60) % 60) + ':' + two(seconds % 60);
}
/** What is absent comes last, up and down. */
function compare(a, b, down) {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return down ? -order : order;
}
const PAGE_ROWS = 150;
/** What a panel draws when it is chosen: some need to know how wide they are. */
const whenShown = {};

/** A table with sorting buttons in its head, a filter and its rows drawn bit by bit; what says in the plural what they are. */
function makeTable(host, { what, columns, rows, filters, open, empty }) {
  let order = rows.map((_, i) => i);
  let sortedBy = -1;
  let down = false;
  let limit = PAGE_ROWS;
  const texts = [];
  const body = element('tbody', {});
  const more = element('button', { className: 'more', type: 'button' });
  const count = element('span', { className: 'note' });
  count.setAttribute('role', 'status');
  const search = element('input', { type: 'search', placeholder: 'Filter…' });
  search.setAttribute('aria-label', 'Filter the ' + what);
  const selects = (filters || []).map(({ label, value }) => {
    const select = element('select', {}, element('option', { value: '', textContent: label + ': all' }));
    select.setAttribute('aria-label', label);
    for (const option of [...new Set(rows.map(value))].sort()) {
      select.append(element('option', { value: option, textContent: option }));
    }
    select.addEventListener('change', restart);
    return { select, value };
  });
  const heads = columns.map((column, c) => {
    const button = element('button', { type: 'button', textContent: column.title });
    button.addEventListener('click', () => {
      down = sortedBy === c ? !down : false;
      sortedBy = c;
      heads.forEach((head, i) => head.setAttribute('aria-sort', i === c ? (down ? 'descending' : 'ascending') : 'none'));
      restart();
    });
    return element('th', { className: column.kind || '', scope: 'col' }, button);
  });
  function restart() {
    limit = PAGE_ROWS;
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    order = rows.map((_, i) => i).filter((i) => {
      if (selects.some(({ select, value }) => select.value !== '' && value(rows[i]) !== select.value)) return false;
      if (words.length === 0) return true;
      texts[i] ??= columns.map((column) => column.text(rows[i])).join(' ').toLowerCase();
      return words.every((word) => texts[i].includes(word));
    });
    if (sortedBy >= 0) {
      const { value } = columns[sortedBy];
      order.sort((a, b) => compare(value(rows[a]), value(rows[b]), down) || a - b);
    }
    body.replaceChildren();
    fill();
  }
  function fill() {
    for (let i = body.childElementCount; i < Math.min(limit, order.length); i++) body.append(drawRow(order[i]));
    more.hidden = order.length <= limit;
    more.textContent = 'Show more (' + (order.length - limit) + ')';
    count.textContent = order.length + ' of ' + rows.length;
  }
  function drawRow(i) {
    const row = element('tr', {});
    columns.forEach((column, c) => {
      const cell = element('td', { className: column.kind || '' });
      if (column.draw) cell.append(column.draw(rows[i], i));
      else if (c === 0 && open) {
        // Rows may begin alike: the button's own name has what tells them apart.
        const button = element('button', { className: 'find', type: 'button', textContent: column.text(rows[i]) });
        const name = columns.map((other) => other.text(rows[i])).filter(Boolean).slice(0, 3);
        if (name.length > 1) button.setAttribute('aria-label', name.join(', '));
        cell.append(button);
      } else cell.textContent = column.text(rows[i]);
      row.append(cell);
    });
    if (open) {
      row.className = 'click';
      row.addEventListener('click', () => {
        host.querySelectorAll('tr.hit').forEach((other) => other.classList.remove('hit'));
        row.classList.add('hit');
        open(i);
      });
    }
    return row;
  }
  search.addEventListener('input', restart);
  more.addEventListener('click', () => {
    limit += PAGE_ROWS;
    fill();
  });
  host.append(element('div', { className: 'tools' }, search, ...selects.map(({ select }) => select), count));
  if (rows.length === 0) host.append(element('div', { className: 'empty', textContent: empty }));
  else {
    const head = element('thead', {}, element('tr', {}, ...heads));
    const table = element('table', {}, head, body);
    table.setAttribute('aria-label', what);
    host.append(element('div', { className: 'scroll' }, table), more);
  }
  restart();
}
const column = (title, kind, value, text) => ({ title, kind, value, text: text || ((row) => String(value(row) ?? '')) });
`;
