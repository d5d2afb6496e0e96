/** The socket of one client, as the hub uses it. */
export interface RealtimeSocket {
  /** Bytes accepted but not yet sent. */
  readonly backlog: number;
  sendText(text: Uint8Array): void;
  sendBinary(bytes: Uint8Array): void;
  close(code: number, reason: string): void;
}
