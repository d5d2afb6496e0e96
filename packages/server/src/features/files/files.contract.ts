import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineOperation,
  defineOrders,
  extend,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
} from "#core/contract/index.ts";
import { fileKinds } from "./files.kinds.contract.ts";

export const filesErrors = defineErrors("files", {
  notFound: { status: 404 },
  kindUnknown: { status: 404, params: ["kind"] },
  empty: { status: 400 },
  tooLarge: { status: 413, params: ["limit"] },
  typeNotAllowed: { status: 415, params: ["allowed"] },
  pictureUnreadable: { status: 400 },
  pictureTooManyPixels: { status: 413, params: ["limit"] },
  pictureTooLong: { status: 413 },
  tooSlow: { status: 408 },
  tooManyAtOnce: { status: 429, params: ["seconds"] },
  tooMany: { status: 409, params: ["most"] },
  tooManyUnused: { status: 409, params: ["files", "megabytes"] },
  ownerMissing: { status: 400, params: ["kind"] },
});

/** The types that are recognized by their bytes. */
export const fileTypes = ["image/png", "image/jpeg", "image/webp", "image/gif", "application/pdf", "text/plain"] as const;
export type FileType = (typeof fileTypes)[number];
export const pictureTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const satisfies readonly FileType[];

/** Signed URLs that only this session can open. They stay the same for some hours, for the cache of the browser. */
export const FileAddress = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  url: Type.String(),
  /** A small picture; without one, the file itself. */
  thumbnail: Type.String(),
});
export type FileAddress = Static<typeof FileAddress>;

export const exampleAddress: FileAddress = {
  id: 31,
  url: "/api/files/31/whole?until=1790028800000&mark=Zm9vYmFyYmF6cXV4cXV1eA",
  thumbnail: "/api/files/31/thumbnail?until=1790028800000&mark=cXV1eGZvb2JhcmJhenF1eA",
};

export const UploadedFile = extend(FileAddress, {
  name: Type.String(),
  type: Type.String(),
  size: Type.Integer({ minimum: 0, description: "Bytes" }),
  width: Nullable(Type.Integer()),
  height: Nullable(Type.Integer()),
});
export type UploadedFile = Static<typeof UploadedFile>;

const kind = Type.String({
  minLength: 3,
  maxLength: 64,
  description: `Kind of the file: ${fileKinds.map((one) => `\`${one.kind}\``).join(", ")}`,
});
const ownerOf = fileKinds.map((one) => `${one.owner} for \`${one.kind}\``).join(", ");
/** One path for two operations: OpenAPI has no paths that differ only by the names of their parameters. */
const kindOrIdPath = "/api/files/:kindOrId/:ownerOrVariant";
const uploadParams = Type.Object({
  kindOrId: kind,
  ownerOrVariant: Type.String({ minLength: 1, maxLength: 64, description: `Owner of the file: ${ownerOf}` }),
});
const viewParams = Type.Object({
  kindOrId: Type.Integer({ minimum: 1, description: "ID of the file" }),
  ownerOrVariant: OneOf(["whole", "thumbnail"]),
});
const uploadQuery = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) });
export const exampleFile: UploadedFile = {
  ...exampleAddress,
  name: "mara.png",
  type: "image/png",
  size: 48_211,
  width: 512,
  height: 512,
};

/**
 * The body is the file itself. It is deleted after a day unless an operation of the feature of `kind`
 * attaches it by its id, for example `citizens.putAvatar`.
 */
export const uploadFile = defineOperation({
  id: "files.upload",
  method: "POST",
  path: kindOrIdPath,
  summary: "Upload a file for an object that the caller may change",
  access: access.character(),
  rate: "write",
  input: { params: uploadParams, query: uploadQuery },
  output: UploadedFile,
  upload: true,
  errors: Object.values(filesErrors),
  example: { params: { kindOrId: "citizens.avatar", ownerOrVariant: "12" }, query: { name: "mara.png" }, output: exampleFile },
});

/**
 * For an object that is still being written. The file is deleted after a day unless the operation that
 * creates the object attaches it, for example `notices.create`.
 */
export const uploadNewFile = defineOperation({
  id: "files.uploadNew",
  method: "POST",
  path: "/api/files/new/:kind",
  summary: "Upload a file for an object that the caller may create",
  access: access.character(),
  rate: "write",
  input: { params: Type.Object({ kind }), query: uploadQuery },
  output: UploadedFile,
  upload: true,
  errors: Object.values(filesErrors),
  example: { params: { kind: "notices.attachment" }, query: { name: "mara.png" }, output: exampleFile },
});

/** Most files whose addresses are answered at once. */
export const mostAddresses = 200;

/**
 * For text with embedded files, which holds only their ids. Answers the files of objects that the viewer may
 * see, and what the caller uploaded for an object that does not have it yet. The others are left out, whether
 * they exist or not.
 */
export const fileAddresses = defineOperation({
  id: "files.addresses",
  method: "POST",
  path: "/api/files/addresses",
  summary: "Addresses of files by their IDs",
  access: access.character(),
  rate: "read",
  input: { body: Type.Object({ ids: Type.Array(Type.Integer({ minimum: 1 }), { maxItems: mostAddresses }) }) },
  output: Type.Object({ files: Type.Array(UploadedFile) }),
  example: { body: { ids: [31, 32] }, output: { files: [exampleFile] } },
});

/** Lets a browser refuse a file before it sends it. */
export const uploadLimits = defineOperation({
  id: "files.limits",
  method: "GET",
  path: "/api/files/limits/:kind",
  summary: "What may be uploaded for a kind of object",
  access: access.character(),
  rate: "read",
  input: { params: Type.Object({ kind }) },
  output: Type.Object({ maxBytes: Type.Integer(), types: Type.Array(Type.String()) }),
  errors: [filesErrors.kindUnknown],
  example: { params: { kind: "citizens.avatar" }, output: { maxBytes: 26_214_400, types: [...pictureTypes] } },
});

/** Answers signed URLs, only for the session that they were given to. */
export const viewFile = defineOperation({
  id: "files.view",
  method: "GET",
  path: kindOrIdPath,
  summary: "Download a file with a signed URL",
  access: access.account(),
  rate: "read",
  input: {
    params: viewParams,
    query: Type.Object({ until: Instant, mark: Type.String({ minLength: 22, maxLength: 22 }) }),
  },
  output: null,
  answer: "file",
  errors: [filesErrors.notFound],
  example: {
    params: { kindOrId: 31, ownerOrVariant: "whole" },
    query: { until: 1_790_028_800_000, mark: "Zm9vYmFyYmF6cXV4cXV1eA" },
  },
});

/** A file as config admins see it. */
export const FileRow = extend(UploadedFile, {
  namespace: Type.String(),
  kind: Type.String(),
  /** Bytes of the file and its thumbnail. */
  bytes: Type.Integer({ minimum: 0 }),
  uploader: Type.String(),
  accountId: Nullable(Type.Integer()),
  createdAt: Instant,
  /** When it is deleted as an orphan; null while something refers to it. */
  goesAt: Nullable(Instant),
  references: Type.Array(Type.Object({ kind: Type.String(), owner: Type.String(), label: Type.String() })),
});
export type FileRow = Static<typeof FileRow>;

/** Orders of the list; `size` is without the thumbnail. */
export const filesOrders = defineOrders(["name", "size", "createdAt"], { default: "-createdAt" });

export const listFiles = defineOperation({
  id: "files.list",
  method: "GET",
  path: "/api/files",
  summary: "List and search uploaded files, the newest first by default",
  access: access.configAdmin(),
  rate: "search",
  input: {
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 64, description: "Part of the name" })),
      namespace: Type.Optional(Type.String({ maxLength: 32 })),
      ...pageQuery,
      ...filesOrders.query,
    }),
  },
  output: PageOf(FileRow),
  example: {
    query: { q: "mara" },
    output: {
      items: [
        {
          ...exampleFile,
          namespace: "avatars",
          kind: "citizens.avatar",
          bytes: 51_400,
          uploader: "Mara Lind (mara)",
          accountId: 3,
          createdAt: 1_790_000_000_000,
          goesAt: null,
          references: [{ kind: "citizens.avatar", owner: "12", label: "Mara Lind" }],
        },
      ],
      next: null,
      total: 1,
      totalCapped: false,
    },
  },
});

export const NamespaceUsage = Type.Object({ namespace: Type.String(), files: Type.Integer(), bytes: Type.Integer() });
export type NamespaceUsage = Static<typeof NamespaceUsage>;

export const filesUsage = defineOperation({
  id: "files.usage",
  method: "GET",
  path: "/api/files/usage",
  summary: "How much is stored, by namespace",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    storage: OneOf(["filesystem", "objectstore"]),
    maxUploadBytes: Type.Integer(),
    namespaces: Type.Array(NamespaceUsage),
  }),
  example: {
    output: {
      storage: "filesystem",
      maxUploadBytes: 26_214_400,
      namespaces: [{ namespace: "avatars", files: 210, bytes: 9_400_000 }],
    },
  },
});

/** Also removes every reference to it. */
export const deleteFile = defineOperation({
  id: "files.delete",
  method: "PUT",
  path: "/api/files/:id/deletion",
  summary: "Delete a file permanently",
  access: access.configAdmin(),
  rate: "write",
  input: {
    params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    body: Type.Object({ reason: Type.String({ minLength: 3, maxLength: 255 }) }),
  },
  output: null,
  errors: [filesErrors.notFound],
  example: { params: { id: 31 }, body: { reason: "Shows somebody who did not agree" } },
});

export const filesContract = {
  operations: [uploadFile, uploadNewFile, uploadLimits, fileAddresses, viewFile, listFiles, filesUsage, deleteFile],
  actions: ["files.move"],
  objects: ["file"],
  errors: filesErrors,
};
