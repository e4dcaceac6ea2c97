/** Lets other work of the event loop (timers, sockets) run, by a message to itself: no timer, no clock. */
export async function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    // `once` exists only on Node's ports; Node's types lack `onmessage`, which all ports have.
    (port1 as { onmessage?: () => void }).onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
