import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { accept, refuse, type Parsed } from "../parsed.ts";
import { isHostName } from "../web.ts";
import { textList } from "./collections.ts";
import { duration } from "./kinds.ts";

/** A host name, `*.domain` for its sub-domains, an IP address or a CIDR range; names in ASCII, as in requests. */
function parseHostRule(value: string): Parsed<string> {
  const host = value.toLowerCase();
  if (ipaddr.isValid(host) || ipaddr.isValidCIDR(host)) return accept(host);
  const below = host.startsWith("*.") ? "*." : "";
  const name = domainToASCII(host.slice(below.length).replace(/\.$/, ""));
  if (name !== "" && isHostName(name)) return accept(below + name);
  return refuse(`"${value}" is not a host`, "write for example images.example.org, *.example.org or 203.0.113.0/24");
}

export const imageProxy = {
  options: {
    allowHosts: textList(
      {
        default: [],
        example: "[images.example.org]",
        inEffect: true,
        meaning:
          "Hosts from which images in people's texts are fetched: a name, `*.domain` for every name below it, an IP address or a CIDR range. Empty allows none. Private addresses are reached only where an address or a range here contains them.",
      },
      { parse: parseHostRule },
    ),
    denyHosts: textList(
      {
        default: [],
        example: "[ads.example.org]",
        inEffect: true,
        meaning: "Hosts from which no image is fetched, written as in allowHosts; overrides allowHosts.",
      },
      { parse: parseHostRule },
    ),
    minimumCacheDuration: duration({
      default: "30m",
      inEffect: true,
      meaning: "Minimum time that a fetched image is cached, even if its origin says less.",
    }),
  },
};
