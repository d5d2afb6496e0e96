import { Problem } from "#core/problem.ts";

/** In a frame of another site browsers keep cookies of https only, whatever the viewer allows. */
const isFramedOverHttp = () => typeof window !== "undefined" && window.top !== window && location.protocol === "http:";

/** The browser dropped the cookie of a sign-in. */
export function cookieDropped(): Problem {
  if (!isFramedOverHttp()) return new Problem("web.cookieDropped", 401);
  return new Problem("web.cookieDroppedInFrame", 401, { params: { here: location.origin } });
}
