declare module "s3rver" {
  import type { AddressInfo } from "node:net";

  import type { Readable } from "node:stream";

  export interface S3Object {
    readonly bucket: string;
    readonly key: string;
    readonly metadata: object;
    readonly content: Buffer | Readable;
  }

  export interface Listing {
    readonly objects: readonly { readonly key: string }[];
    readonly commonPrefixes: readonly string[];
    readonly isTruncated: boolean;
  }

  export interface ListOptions {
    readonly delimiter?: string;
    readonly prefix?: string;
    readonly startAfter?: string;
    readonly maxKeys?: number;
  }

  export interface Store {
    listObjects(bucket: string, options: ListOptions): Promise<Listing>;
    getResourcePath(bucket: string, key: string, resource: "object"): string;
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
    putObject(object: S3Object): Promise<{ readonly size: number; readonly md5: string }>;
  }

  export default class S3rver {
    readonly store: Store;
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
