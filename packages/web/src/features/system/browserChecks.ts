import { useQuery } from "@tanstack/react-query";
import { clientAddress } from "@rollcall/server/contract/system";
import { systemClock } from "#core/clock.ts";
import { queryOf } from "#core/queries.ts";
import { useIsUp } from "#core/realtime/live.tsx";
import { transport } from "#core/services.ts";
import { shortAge } from "#core/time.ts";
import type { BrowserCheck } from "./report.ts";

/** A larger difference between the clocks is reported. Milliseconds. */
const CLOCK_TOLERANCE = 30_000;

function addressCheck(publicUrl: string): BrowserCheck {
  const here = location.origin;
  const wanted = new URL(publicUrl).origin;
  if (here === wanted) return { name: "addressOk", grade: "ok", params: { here } };
  return { name: "address", grade: "warning", params: { here, wanted } };
}

function encryptionCheck(): BrowserCheck {
  if (location.protocol === "https:") return { name: "httpsOk", grade: "ok" };
  return location.hostname === "localhost" ? { name: "httpsLocal", grade: "ok" } : { name: "https", grade: "warning" };
}

/** What only a browser can check; null until the server has said how it sees this one. */
export function useBrowserChecks() {
  const seen = useQuery({ ...queryOf(clientAddress, {}), staleTime: 0 });
  const isUp = useIsUp();
  // The offset is known after the first response; it hardly changes while the page is open.
  const skew = Math.abs(transport.serverNow() - systemClock.now());
  if (!seen.data) return { query: seen, checks: null };
  const { address, forwarded, ignored, publicUrl } = seen.data;
  const checks: BrowserCheck[] = [
    addressCheck(publicUrl),
    encryptionCheck(),
    ...(isUp !== null ? [{ name: isUp ? "socketOk" : "socket", grade: isUp ? "ok" : "problem" } as const] : []),
    ignored
      ? { name: "proxyIgnored", grade: "warning", params: { address } }
      : { name: forwarded ? "proxyOk" : "direct", grade: "ok", params: { address } },
    skew > CLOCK_TOLERANCE
      ? { name: "clock", grade: "warning", params: { age: shortAge(skew) } }
      : { name: "clockOk", grade: "ok" },
  ];
  return { query: seen, checks };
}
