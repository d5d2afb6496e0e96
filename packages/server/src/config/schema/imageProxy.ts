import ipaddr from "ipaddr.js";
import { accept, refuse, type Parsed } from "../parsed.ts";
import { isHostName } from "../web.ts";
import { textList } from "./collections.ts";
import { duration } from "./kinds.ts";

/** A host name, `*.domain` for its sub-domains, an IP address or a CIDR range. */
function parseHostRule(value: string): Parsed<string> {
  const host = value.toLowerCase();
  if (ipaddr.isValid(host) || ipaddr.isValidCIDR(host) || isHostName(host.replace(/^\*\./, ""))) return accept(host);
  return refuse(`"${value}" is not a host`, "write for example images.example.org, *.example.org or 203.0.113.0/24");
}

export const imageProxy = {
  options: {
    allowHosts: textList(
      {
        default: [],
        example: "[images.example.org]",
        meaning: "Hosts from which images are fetched for the browser; empty allows every public host.",
      },
      { parse: parseHostRule },
    ),
    denyHosts: textList(
      {
        default: [],
        example: "[ads.example.org]",
        meaning: "Hosts from which no image is fetched; stronger than allowHosts.",
      },
      { parse: parseHostRule },
    ),
    minimumCacheDuration: duration({ default: "30m", meaning: "Least time that a fetched image is kept." }),
  },
};
