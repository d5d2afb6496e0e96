/** Version of this client, sent with every call. */
export const sdkVersion = "0.1.0";
