// Leaflet 1.9, as far as the map uses it. The members with a line before their name are its own:
// the map's canvas is one of its renderers.

export interface Point_ { x: number; y: number; add(p: Point_ | number[]): Point_; subtract(p: Point_): Point_ }
interface Bounds { min: Point_; getSize(): Point_ }
interface LatLng { lat: number; lng: number }
type LatLngLike = LatLng | number[];
interface LatLngBounds { pad(ratio: number): LatLngBounds; extend(at: LatLngLike): LatLngBounds }

interface Fit {
  paddingTopLeft?: number[];
  paddingBottomRight?: number[];
  maxZoom?: number;
  animate?: boolean;
  duration?: number;
}

export interface LeafletMap {
  dragging: { moved?(): boolean };
  getZoom(): number;
  getSize(): Point_;
  getContainer(): HTMLElement;
  setMaxBounds(bounds: LatLngBounds): LeafletMap;
  addLayer(layer: Renderer): LeafletMap;
  on(name: "click" | "mousemove", run: (e: { containerPoint: Point_ }) => void): LeafletMap;
  project(at: LatLngLike, zoom: number): Point_;
  unproject(at: Point_, zoom: number): LatLng;
  containerPointToLayerPoint(p: Point_): Point_;
  containerPointToLatLng(p: Point_): LatLng;
  latLngToContainerPoint(at: LatLngLike): Point_;
  fitBounds(bounds: LatLngBounds, options: Fit): LeafletMap;
  flyToBounds(bounds: LatLngBounds, options: Fit): LeafletMap;
  panTo(at: LatLng, options: Fit): LeafletMap;
  invalidateSize(options: Fit): LeafletMap;
  remove(): void;
  _animatingZoom?: boolean;
  _getNewPixelOrigin(centre: LatLng, zoom: number): Point_;
}

export interface Renderer {
  _map: LeafletMap;
  _bounds: Bounds;
  _container: HTMLCanvasElement;
  _zoom: number;
  _center: LatLng;
  _update(): void;
}
interface RendererOptions<T> { padding: number; pane: string; draw(layer: T): void }

export interface Leaflet {
  Renderer: {
    prototype: Renderer;
    extend<M>(methods: M & ThisType<M & Renderer & { options: RendererOptions<M & Renderer> }>): new (options: RendererOptions<M & Renderer>) => M & Renderer;
  };
  DomUtil: { setPosition(el: HTMLElement, at: Point_): void };
  map(el: HTMLElement, options: Record<string, number | boolean>): LeafletMap;
  latLngBounds(a: LatLngLike, b?: LatLngLike): LatLngBounds;
  latLngBounds(all: LatLngLike[]): LatLngBounds;
  control: { attribution(options: { prefix: boolean }): { addAttribution(text: string): { addTo(map: LeafletMap): void } } };
}

declare global {
  interface Window { L: Leaflet }
}
