/** Host names of this machine. URLs have IPv6 addresses in brackets, settings of PostgreSQL do not. */
export const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i;
