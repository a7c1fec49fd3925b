/** A place on a map. */
interface View {
  latitude: number;
  longitude: number;
  zoom: number;
  /** Whether a sign stands there. */
  isMarked: boolean;
}

/** The map of an address at OpenStreetMap or Google Maps, for a frame. */
export function mapFrame(url: URL): string | undefined {
  const host = url.hostname.replace(/^www\./, '');
  return host === 'openstreetmap.org' ? openStreetMap(url) : googleMaps(url, host);
}

const NUMBER = /^-?\d{1,3}(?:\.\d{1,20})?$/;

/** A number in a range, or nothing. */
function within(text: string | undefined | null, limit: number): number | undefined {
  if (!text || !NUMBER.test(text)) return undefined;
  return Math.abs(Number(text)) <= limit ? Number(text) : undefined;
}

function viewOf(
  [latitude, longitude]: readonly (string | undefined | null)[],
  { zoom, isMarked }: { zoom: string | undefined; isMarked: boolean },
): View | undefined {
  const place = [within(latitude, 85), within(longitude, 180)] as const;
  if (place[0] === undefined || place[1] === undefined) return undefined;
  return { latitude: place[0], longitude: place[1], zoom: Number(zoom ?? 15), isMarked };
}

function openStreetMap({ pathname, searchParams, hash }: URL): string | undefined {
  if (pathname === '/export/embed.html') return openStreetMapFrame(searchParams);
  const [, zoom, latitude, longitude] =
    /^#map=(\d{1,2})\/(-?[\d.]{1,22})\/(-?[\d.]{1,22})(?:&.*)?$/.exec(hash) ?? [];
  const marked = viewOf([searchParams.get('mlat'), searchParams.get('mlon')], {
    zoom,
    isMarked: true,
  });
  const view = marked ?? viewOf([latitude, longitude], { zoom, isMarked: false });
  return view && openStreetMapOf(view);
}

/** The address that OpenStreetMap itself offers for embedding. */
function openStreetMapFrame(given: URLSearchParams): string | undefined {
  const box = (given.get('bbox') ?? '').split(',').map((side) => within(side, 180));
  if (box.length !== 4 || box.includes(undefined)) return undefined;
  const [latitude, longitude] = (given.get('marker') ?? '').split(',');
  const marker = viewOf([latitude, longitude], { zoom: undefined, isMarked: true });
  return openStreetMapAt(box.join(','), marker);
}

/** Pixels of a map as a page shows it, about, and of the whole world at zoom 0. */
const [WIDTH, HEIGHT, WORLD] = [720, 405, 256];

function openStreetMapOf(view: View): string {
  const { latitude, longitude, zoom } = view;
  const degrees = 360 / (WORLD * 2 ** Math.min(zoom, 19));
  const [x, y] = [
    (degrees * WIDTH) / 2,
    (degrees * HEIGHT * Math.cos((latitude * Math.PI) / 180)) / 2,
  ];
  const box = [longitude - x, latitude - y, longitude + x, latitude + y];
  return openStreetMapAt(box.map((side) => side.toFixed(5)).join(','), view);
}

function openStreetMapAt(box: string, view: View | undefined): string {
  const query = new URLSearchParams({ bbox: box, layer: 'mapnik' });
  if (view?.isMarked) query.set('marker', `${view.latitude},${view.longitude}`);
  return `https://www.openstreetmap.org/export/embed.html?${query.toString()}`;
}

/** Google's domains: of countries, too. */
const GOOGLE = /^(?:maps\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/;

function googleMaps({ pathname, searchParams }: URL, host: string): string | undefined {
  if (!GOOGLE.test(host) || !(host.startsWith('maps.') || /^\/maps(?:\/|$)/.test(pathname)))
    return undefined;
  const [, kind = '', ...rest] = pathname.replace(/^\/maps/, '').split('/');
  const framed = searchParams.get('pb');
  // The address that Google itself offers for embedding.
  if (kind === 'embed')
    return framed && /^[\w!.%:,+~*() -]{1,1500}$/.test(framed)
      ? `https://www.google.com/maps/embed?${new URLSearchParams({ pb: framed }).toString()}`
      : undefined;
  const [, latitude, longitude, zoom] =
    /\/@(-?[\d.]{1,22}),(-?[\d.]{1,22})(?:,(\d{1,2})(?:\.\d+)?z)?/.exec(pathname) ?? [];
  const view = viewOf([latitude, longitude], { zoom, isMarked: false });
  const named = kind === 'place' || kind === 'search' ? wordsOf(rest[0]) : undefined;
  const asked = searchParams.get('q') ?? searchParams.get('query') ?? named;
  const place = view && `${view.latitude},${view.longitude}`;
  if (!asked && !place) return undefined;
  const query = new URLSearchParams({ q: asked || place!, output: 'embed' });
  if (asked && place) query.set('ll', place);
  if (view) query.set('z', `${view.zoom}`);
  return `https://www.google.com/maps?${query.toString()}`;
}

/** The words in a part of a path; nothing if that is a place on the map. */
function wordsOf(part: string | undefined): string | undefined {
  if (!part || part.startsWith('@')) return undefined;
  try {
    return decodeURIComponent(part.replaceAll('+', ' ')).slice(0, 300);
  } catch {
    return undefined;
  }
}
