/** The part of a page's script that draws much without holding the page: slices of work between frames. It runs in the reader's browser. */

export const CLIENT_CANVAS: string = `
const SLICE_MS = 8;
const slices = {};
/** Does the work of each number below count, a slice a frame. A new call of a name ends the last one. */
function inSlices(name, count, work) {
  cancelAnimationFrame(slices[name]);
  const step = (i) => {
    const end = performance.now() + SLICE_MS;
    while (i < count && performance.now() < end) work(i++);
    slices[name] = i < count ? requestAnimationFrame(() => step(i)) : 0;
  };
  step(0);
}

/**
 * Leaflet's canvas, drawn in slices behind the picture that shows, which moves and scales with the map until the new one is whole.
 * center and zoom are those of the picture that shows, bounds those of the one that is drawn.
 */
const SlicedCanvas = L.Canvas.extend({
  _initContainer() {
    L.Canvas.prototype._initContainer.call(this);
    this._back = document.createElement('canvas').getContext('2d');
  },
  _destroyContainer() {
    cancelAnimationFrame(this._slice);
    L.Canvas.prototype._destroyContainer.call(this);
  },
  _onAnimZoom(event) {
    cancelAnimationFrame(this._slice);
    L.Canvas.prototype._onAnimZoom.call(this, event);
  },
  _onZoom() {
    cancelAnimationFrame(this._slice);
    L.Canvas.prototype._onZoom.call(this);
  },
  _onZoomEnd() {
    for (const id in this._layers) this._layers[id].isStale = true;
  },
  _reset() {
    this._onZoomEnd();
    this._postponeUpdatePaths = false;
    this._update();
  },
  _update() {
    if (this._map._animatingZoom && this._bounds) return;
    const [center, zoom] = [this._center, this._zoom];
    L.Renderer.prototype._update.call(this);
    this._next = [this._center, this._zoom];
    if (center) {
      this._center = center;
      this._zoom = zoom;
      this._updateTransform(...this._next);
    }
    this.fire('update');
  },
  _updatePaths() {
    if (this._postponeUpdatePaths) return;
    cancelAnimationFrame(this._slice);
    const { canvas } = this._back;
    const size = this._bounds.getSize();
    const scale = L.Browser.retina ? 2 : 1;
    canvas.width = scale * size.x;
    canvas.height = scale * size.y;
    this._back.setTransform(scale, 0, 0, scale, -scale * this._bounds.min.x, -scale * this._bounds.min.y);
    this._drawSlice(this._drawFirst);
  },
  _drawSlice(order) {
    const end = performance.now() + SLICE_MS;
    const front = this._ctx;
    this._ctx = this._back;
    this._drawing = true;
    for (; order && performance.now() < end; order = order.next) {
      const { layer } = order;
      if (!layer._map) continue;
      if (layer.isStale) layer._project();
      layer.isStale = false;
      layer._update();
    }
    this._drawing = false;
    this._ctx = front;
    if (order) this._slice = requestAnimationFrame(() => this._drawSlice(order));
    else this._showDrawn();
  },
  _showDrawn() {
    const [container, { canvas }] = [this._container, this._back];
    const size = this._bounds.getSize();
    [this._center, this._zoom] = this._next;
    container.width = canvas.width;
    container.height = canvas.height;
    container.style.width = size.x + 'px';
    container.style.height = size.y + 'px';
    L.DomUtil.setPosition(container, this._bounds.min);
    this._ctx.drawImage(canvas, 0, 0);
  },
  /** What was added, removed or changed. */
  _redraw() {
    this._redrawRequest = null;
    this._redrawBounds = null;
    this._updatePaths();
  },
  _draw() {},
});
`;
