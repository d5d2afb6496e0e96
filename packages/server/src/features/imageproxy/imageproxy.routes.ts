import { bind, type Binding } from "#core/feature.ts";
import { pictureAddresses, proxiedPicture } from "./imageproxy.contract.ts";
import type { ImageProxy } from "./imageproxy.service.ts";

export function imageproxyRoutes(service: ImageProxy): Binding[] {
  return [
    bind(proxiedPicture, async (call, { query }) => await service.signedPicture(query, call.address)),
    bind(pictureAddresses, async (_call, { body }) => service.addresses(body.urls, body.size)),
  ];
}
