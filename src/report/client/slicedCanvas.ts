/** Leaflet's canvas, drawn in slices of work between frames. */

import { cancelSlice, nextSlice, sliceEnd } from './shared/inSlices.js';

/** Members of a path that Leaflet's types omit. */
export interface DrawnPath {
  _map?: L.Map | null;
  /** Whether the path's points belong to another zoom. */
  isStale?: boolean;
  _project(): void;
  _update(): void;
  _containsPoint(point: L.Point): boolean;
}

interface DrawOrder {
  readonly layer: DrawnPath;
  readonly next: DrawOrder | null;
}

interface ZoomEvent {
  readonly center: L.LatLng;
  readonly zoom: number;
}

/** Members of Leaflet 1.9's `Canvas` and `Renderer` that its types omit. */
declare class CanvasMembers extends L.Canvas {
  _container: HTMLCanvasElement;
  _ctx: CanvasRenderingContext2D;
  _bounds?: L.Bounds;
  _center?: L.LatLng;
  _zoom?: number;
  _drawing: boolean;
  _drawFirst: DrawOrder | null;
  _layers: Record<string, DrawnPath>;
  _map: L.Map & { _animatingZoom?: boolean };
  _postponeUpdatePaths: boolean;
  _redrawBounds: L.Bounds | null;
  _redrawRequest: number | null;
  _addPath(layer: DrawnPath): void;
  _destroyContainer(): void;
  _draw(): void;
  _initContainer(): void;
  _initPath(layer: DrawnPath): void;
  _onAnimZoom(event: ZoomEvent): void;
  _onZoom(): void;
  _onZoomEnd(): void;
  _redraw(): void;
  _reset(): void;
  _update(): void;
  _updatePaths(): void;
  _updateTransform(center: L.LatLng, zoom: number): void;
}

const Canvas: typeof CanvasMembers = L.Canvas as unknown as typeof CanvasMembers;
const RENDERER = L.Renderer.prototype as CanvasMembers;

/**
 * Draws a new picture behind the visible one, which moves and scales with the map until the new picture is complete. `_center` and `_zoom`
 * belong to the visible picture, `_bounds` to the new one.
 */
export class SlicedCanvas extends Canvas {
  declare _back: CanvasRenderingContext2D;
  declare _next: [L.LatLng, number];
  declare _isUnfinished: boolean;

  /** Whether the picture or the positions of paths will change in one of the next frames. */
  isBusy(): boolean {
    return this._isUnfinished || (this._redrawRequest ?? 0) !== 0;
  }

  /** The last drawn path that contains the point and satisfies `isWanted`; `null`: none. */
  hit(point: L.Point, isWanted: (path: DrawnPath) => boolean): DrawnPath | null {
    let found: DrawnPath | null = null;
    for (let order = this._drawFirst ?? null; order !== null; order = order.next) {
      if (isWanted(order.layer) && order.layer._containsPoint(point)) found = order.layer;
    }
    return found;
  }

  /** Draws at once the work that waits for the next frame. */
  finish(): void {
    if ((this._redrawRequest ?? 0) !== 0) this._redraw();
  }

  override _initContainer(): void {
    super._initContainer();
    this._back = contextOf(document.createElement('canvas'));
    this._isUnfinished = false;
  }

  override _destroyContainer(): void {
    cancelSlice(this);
    super._destroyContainer();
  }

  override _onAnimZoom(event: ZoomEvent): void {
    cancelSlice(this);
    super._onAnimZoom(event);
  }

  override _onZoom(): void {
    cancelSlice(this);
    super._onZoom();
  }

  override _onZoomEnd(): void {
    for (const layer of Object.values(this._layers)) layer.isStale = true;
  }

  override _reset(): void {
    this._onZoomEnd();
    this._postponeUpdatePaths = false;
    this._update();
  }

  override _update(): void {
    if (this._map._animatingZoom && this._bounds) return;
    const [center, zoom] = [this._center, this._zoom];
    RENDERER._update.call(this);
    this._next = [this._center!, this._zoom!];
    if (center !== undefined && zoom !== undefined) {
      this._center = center;
      this._zoom = zoom;
      this._updateTransform(...this._next);
    }
    this.fire('update');
  }

  override _updatePaths(): void {
    if (this._postponeUpdatePaths) return;
    cancelSlice(this);
    this._isUnfinished = true;
    const { canvas } = this._back;
    const { min } = boundsOf(this);
    const size = boundsOf(this).getSize();
    const scale = L.Browser.retina ? 2 : 1;
    canvas.width = scale * size.x;
    canvas.height = scale * size.y;
    this._back.setTransform(scale, 0, 0, scale, -scale * min.x, -scale * min.y);
    this._drawSlice(this._drawFirst ?? null);
  }

  _drawSlice(first: DrawOrder | null): void {
    const end = sliceEnd();
    const front = this._ctx;
    this._ctx = this._back;
    this._drawing = true;
    let order = first;
    while (order !== null) {
      drawPath(order.layer);
      order = order.next;
      if (performance.now() >= end) break;
    }
    this._drawing = false;
    this._ctx = front;
    if (order === null) this._showDrawn();
    else nextSlice(this, () => this._drawSlice(order));
  }

  _showDrawn(): void {
    const { canvas } = this._back;
    const bounds = boundsOf(this);
    const size = bounds.getSize();
    [this._center, this._zoom] = this._next;
    this._container.width = canvas.width;
    this._container.height = canvas.height;
    this._container.style.width = `${size.x}px`;
    this._container.style.height = `${size.y}px`;
    L.DomUtil.setPosition(this._container, bounds.min!);
    if (canvas.width > 0 && canvas.height > 0) this._ctx.drawImage(canvas, 0, 0);
    this._isUnfinished = false;
  }

  /** Draws everything again. */
  override _redraw(): void {
    cancelAnimationFrame(this._redrawRequest ?? 0);
    this._redrawRequest = null;
    this._redrawBounds = null;
    this._updatePaths();
  }

  override _draw(): void {}
}

function drawPath(path: DrawnPath): void {
  if (!path._map) return;
  if (path.isStale) path._project();
  path.isStale = false;
  path._update();
}

function boundsOf({ _bounds }: SlicedCanvas): L.Bounds & { min: L.Point } {
  return _bounds as L.Bounds & { min: L.Point };
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('expected a 2d context, received none');
  return context;
}

/** Projects a path when it is drawn, not when it is added: adding thousands of paths must not be one long task. */
L.Path.include({
  onAdd(this: AddedPath): void {
    const { _renderer: renderer } = this;
    renderer._initPath(this);
    if (renderer instanceof SlicedCanvas) this.isStale = true;
    else this._reset();
    renderer._addPath(this);
  },
});

interface AddedPath extends DrawnPath {
  readonly _renderer: CanvasMembers;
  _reset(): void;
}
