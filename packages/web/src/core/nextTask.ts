/** Resolves in a task of its own, so that the browser can paint or handle a key before what follows. */
export async function nextTask(): Promise<void> {
  // Not a timer, which browsers delay.
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
  port1.close();
}
