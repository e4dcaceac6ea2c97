/**
 * Gives the turn to whatever else waits in the event loop (timers, sockets), and comes back. A message to itself: no timer, no clock.
 */
export async function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    // Not `once`, which the ports of Node alone have; its types do not know what all ports have.
    (port1 as { onmessage?: () => void }).onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
