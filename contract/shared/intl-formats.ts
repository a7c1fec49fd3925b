/** Creating one costs up to 50 µs. Bounded, because owners choose time zones and languages. */
const MAX_FORMATS = 500;

function remember<Options, Format>(Constructor: new (locale: string, options?: Options) => Format) {
  const formats = new Map<string, Format>();
  return (locale: string, options?: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
    let format = formats.get(key);
    if (format === undefined) {
      if (formats.size >= MAX_FORMATS) formats.clear();
      formats.set(key, (format = new Constructor(locale, options)));
    }
    return format;
  };
}

export const dateTimeFormat = remember<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  Intl.DateTimeFormat,
);
export const listFormat = remember<Intl.ListFormatOptions, Intl.ListFormat>(Intl.ListFormat);
export const numberFormat = remember<Intl.NumberFormatOptions, Intl.NumberFormat>(
  Intl.NumberFormat,
);
export const relativeTimeFormat = remember<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  Intl.RelativeTimeFormat,
);
export const pluralRules = remember<Intl.PluralRulesOptions, Intl.PluralRules>(Intl.PluralRules);
