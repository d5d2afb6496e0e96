import { Type } from "typebox";
import { access, defineErrors, defineOperation, Nullable } from "#core/contract/index.ts";

/** Longest side of a picture in pixels: nothing is enlarged, and no other size is made. */
export const imageSizes = [64, 128, 256, 512, 1024, 2048] as const;
export type ImageSize = (typeof imageSizes)[number];

export const imageproxyErrors = defineErrors("imageproxy", {
  /** Not an address that we gave out, or one that has run out. */
  markInvalid: { status: 404 },
  hostNotAllowed: { status: 404, params: ["host"] },
  /** There is no picture, or none that may be shown. */
  noPicture: { status: 404 },
  busy: { status: 503 },
});

const exampleAddress = {
  url: "https://images.example.org/map.png",
  size: 512,
  until: 1_790_000_000,
  mark: "0123456789abcdefghijkl",
};

/** Only with a mark that the server made: this is no way to fetch just anything. */
export const proxiedImage = defineOperation({
  id: "imageproxy.image",
  method: "GET",
  path: "/api/image-proxy",
  summary: "A picture of another site, fetched and made anew by the server",
  access: access.public(),
  rate: "read",
  input: {
    query: Type.Object({
      url: Type.String({ maxLength: 4000 }),
      /** One of `imageSizes`. */
      size: Type.Integer({ minimum: 1, maximum: 10_000 }),
      /** Seconds UTC at which the address runs out. */
      until: Type.Integer({ minimum: 0 }),
      mark: Type.String({ maxLength: 100 }),
    }),
  },
  output: null,
  answer: "file",
  errors: [imageproxyErrors.markInvalid, imageproxyErrors.hostNotAllowed, imageproxyErrors.noPicture, imageproxyErrors.busy],
  example: { query: exampleAddress },
});

/** The addresses run out after one to two days; who still shows the picture then asks again. */
export const imageAddresses = defineOperation({
  id: "imageproxy.addresses",
  method: "POST",
  path: "/api/image-proxy/addresses",
  summary: "Addresses on our own origin for pictures of other sites",
  access: access.account(),
  rate: "search",
  input: {
    body: Type.Object({
      size: Type.Integer({ minimum: 1, maximum: 10_000 }),
      urls: Type.Array(Type.String({ maxLength: 4000 }), { minItems: 1, maxItems: 50 }),
    }),
  },
  /** In the order of the given ones; null for what is not fetched. */
  output: Type.Object({ addresses: Type.Array(Nullable(Type.String())) }),
  example: {
    body: { size: 512, urls: [exampleAddress.url, "https://elsewhere.example/tracker.gif"] },
    output: {
      addresses: [
        "/api/image-proxy?url=https%3A%2F%2Fimages.example.org%2Fmap.png&size=512&until=1790000000&mark=0123456789abcdefghijkl",
        null,
      ],
    },
  },
});

export const imageproxyContract = { operations: [proxiedImage, imageAddresses], errors: imageproxyErrors };
