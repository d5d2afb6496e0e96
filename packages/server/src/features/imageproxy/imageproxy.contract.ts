import { Type } from "typebox";
import { access, defineErrors, defineOperation, Nullable } from "#core/contract/index.ts";

/** Longest sides of served pictures, in pixels. Pictures are never enlarged. */
export const pictureSizes = [64, 128, 256, 512, 1024, 2048] as const;
export type PictureSize = (typeof pictureSizes)[number];

export const imageproxyErrors = defineErrors("imageproxy", {
  /** The signature is wrong or the URL expired. */
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

/** Requires a signature of the server, so that clients cannot make it fetch arbitrary URLs. */
export const proxiedPicture = defineOperation({
  id: "imageproxy.image",
  method: "GET",
  path: "/api/image-proxy",
  summary: "A picture of another site, fetched and encoded again by the server",
  access: access.public(),
  rate: "read",
  input: {
    query: Type.Object({
      url: Type.String({ maxLength: 4000 }),
      /** One of `pictureSizes`. */
      size: Type.Integer({ minimum: 1, maximum: 10_000 }),
      /** When the URL expires, in seconds UTC. */
      until: Type.Integer({ minimum: 0 }),
      mark: Type.String({ maxLength: 100 }),
    }),
  },
  output: null,
  answer: "file",
  errors: [imageproxyErrors.markInvalid, imageproxyErrors.hostNotAllowed, imageproxyErrors.noPicture, imageproxyErrors.busy],
  example: { query: exampleAddress },
});

/** The URLs expire after one to two days; a client that still shows the picture then requests new ones. */
export const pictureAddresses = defineOperation({
  id: "imageproxy.addresses",
  method: "POST",
  path: "/api/image-proxy/addresses",
  summary: "Signed URLs for pictures of other sites",
  access: access.account(),
  rate: "search",
  input: {
    body: Type.Object({
      size: Type.Integer({ minimum: 1, maximum: 10_000 }),
      urls: Type.Array(Type.String({ maxLength: 4000 }), { minItems: 1, maxItems: 50 }),
    }),
  },
  /** In the order of `urls`; null for pictures that are not fetched. */
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

export const imageproxyContract = { operations: [proxiedPicture, pictureAddresses], errors: imageproxyErrors };
