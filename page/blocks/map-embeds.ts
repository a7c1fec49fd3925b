import { cutText } from '#contract/shared/user-text.ts';
interface MapView {
  latitude: number;
  longitude: number;
  zoom: number;
  hasMarker: boolean;
}

/** Returns the iframe URL for an OpenStreetMap or Google Maps link. */
export function mapEmbedUrl(url: URL): string | undefined {
  const host = url.hostname.replace(/^www\./, '');
  return host === 'openstreetmap.org' ? openStreetMapEmbedUrl(url) : googleMapsEmbedUrl(url, host);
}

const COORDINATE_PATTERN = /^-?\d{1,3}(?:\.\d{1,20})?$/;

/** Accepts values from `-limit` to `limit`. */
function parseCoordinate(text: string | undefined | null, limit: number): number | undefined {
  if (!text || !COORDINATE_PATTERN.test(text)) return undefined;
  return Math.abs(Number(text)) <= limit ? Number(text) : undefined;
}

function mapView(
  [latitude, longitude]: readonly (string | undefined | null)[],
  { zoom, hasMarker }: { zoom: string | undefined; hasMarker: boolean },
): MapView | undefined {
  const parsedLatitude = parseCoordinate(latitude, 85);
  const parsedLongitude = parseCoordinate(longitude, 180);
  if (parsedLatitude === undefined || parsedLongitude === undefined) return undefined;
  return {
    latitude: parsedLatitude,
    longitude: parsedLongitude,
    zoom: Number(zoom ?? 15),
    hasMarker,
  };
}

function openStreetMapEmbedUrl({ pathname, searchParams, hash }: URL): string | undefined {
  if (pathname === '/export/embed.html') return openStreetMapFromEmbedUrl(searchParams);
  const [, zoom, latitude, longitude] =
    /^#map=(\d{1,2})\/(-?[\d.]{1,22})\/(-?[\d.]{1,22})(?:&.*)?$/.exec(hash) ?? [];
  const markerView = mapView([searchParams.get('mlat'), searchParams.get('mlon')], {
    zoom,
    hasMarker: true,
  });
  const view = markerView ?? mapView([latitude, longitude], { zoom, hasMarker: false });
  return view && openStreetMapAround(view);
}

/** Parses the embed URL that OpenStreetMap offers. */
function openStreetMapFromEmbedUrl(params: URLSearchParams): string | undefined {
  const bounds = (params.get('bbox') ?? '').split(',').map((edge) => parseCoordinate(edge, 180));
  if (bounds.length !== 4 || bounds.includes(undefined)) return undefined;
  const [latitude, longitude] = (params.get('marker') ?? '').split(',');
  const marker = mapView([latitude, longitude], { zoom: undefined, hasMarker: true });
  return openStreetMapOfBounds(bounds.join(','), marker);
}

/** Approximate size of a map on a page, and size of the world at zoom 0, in pixels. */
const WIDTH = 720;
const HEIGHT = 405;
const WORLD_SIZE = 256;

function openStreetMapAround(view: MapView): string {
  const { latitude, longitude, zoom } = view;
  const degrees = 360 / (WORLD_SIZE * 2 ** Math.min(zoom, 19));
  const halfWidth = (degrees * WIDTH) / 2;
  const halfHeight = (degrees * HEIGHT * Math.cos((latitude * Math.PI) / 180)) / 2;
  const bounds = [
    longitude - halfWidth,
    latitude - halfHeight,
    longitude + halfWidth,
    latitude + halfHeight,
  ];
  return openStreetMapOfBounds(bounds.map((edge) => edge.toFixed(5)).join(','), view);
}

function openStreetMapOfBounds(bounds: string, view: MapView | undefined): string {
  const query = new URLSearchParams({ bbox: bounds, layer: 'mapnik' });
  if (view?.hasMarker) query.set('marker', `${view.latitude},${view.longitude}`);
  return `https://www.openstreetmap.org/export/embed.html?${query.toString()}`;
}

/** Includes country domains such as google.co.uk. */
const GOOGLE_HOST = /^(?:maps\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/;

function googleMapsEmbedUrl({ pathname, searchParams }: URL, host: string): string | undefined {
  if (!GOOGLE_HOST.test(host) || !(host.startsWith('maps.') || /^\/maps(?:\/|$)/.test(pathname)))
    return undefined;
  const [, kind = '', ...segments] = pathname.replace(/^\/maps/, '').split('/');
  const embedCode = searchParams.get('pb');
  // The embed URL that Google Maps offers.
  if (kind === 'embed')
    return embedCode && /^[\w!.%:,+~*() -]{1,1500}$/.test(embedCode)
      ? `https://www.google.com/maps/embed?${new URLSearchParams({ pb: embedCode }).toString()}`
      : undefined;
  const [, latitude, longitude, zoom] =
    /\/@(-?[\d.]{1,22}),(-?[\d.]{1,22})(?:,(\d{1,2})(?:\.\d+)?z)?/.exec(pathname) ?? [];
  const view = mapView([latitude, longitude], { zoom, hasMarker: false });
  const pathQuery = kind === 'place' || kind === 'search' ? searchText(segments[0]) : undefined;
  const searchQuery = searchParams.get('q') ?? searchParams.get('query') ?? pathQuery;
  const coordinates = view && `${view.latitude},${view.longitude}`;
  if (!searchQuery && !coordinates) return undefined;
  const query = new URLSearchParams({ q: searchQuery || coordinates!, output: 'embed' });
  if (searchQuery && coordinates) query.set('ll', coordinates);
  if (view) query.set('z', `${view.zoom}`);
  return `https://www.google.com/maps?${query.toString()}`;
}

/** Decodes a search text in the path. Undefined if it is a coordinate or malformed. */
function searchText(segment: string | undefined): string | undefined {
  if (!segment || segment.startsWith('@')) return undefined;
  try {
    return cutText(decodeURIComponent(segment.replaceAll('+', ' ')), 300);
  } catch {
    return undefined;
  }
}
