/** One client's connection as the hub sees it. */
export interface RealtimeSocket {
  /** Bytes accepted but not yet sent. */
  readonly backlog: number;
  sendText(text: Uint8Array): void;
  sendBinary(bytes: Uint8Array): void;
  close(code: number, reason: string): void;
}
