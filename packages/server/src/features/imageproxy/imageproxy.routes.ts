import { bind, type Binding } from "#core/feature.ts";
import { imageAddresses, proxiedImage } from "./imageproxy.contract.ts";
import type { ImageProxy } from "./imageproxy.service.ts";

export function imageproxyRoutes(service: ImageProxy): Binding[] {
  return [
    bind(proxiedImage, async (_call, { query }) => await service.image(query)),
    bind(imageAddresses, async (_call, { body }) => service.addresses(body.urls, body.size)),
  ];
}
