/** Codes that the host's own errors have besides those of wayzone. */

declare module 'wayzone' {
  interface OwnErrorCodes {
    /** The partition does not stand still for want of its stream. */
    'alarm-missing': true;
    /** The company does not exist. */
    'company-unknown': true;
    /** Another process uses the data folder. */
    'data-in-use': true;
    /** The uploaded file has an unknown format. */
    'format-unknown': true;
    /** The address exists, the method does not. */
    'method-unknown': true;
    /** Another process took the partition over. */
    'partition-taken': true;
    /** A client sends more requests than its limit. */
    'rate-limit': true;
    /** The log has no message where one is expected. */
    'log-gap': true;
    /** A message of the log cannot be read. */
    'message-invalid': true;
    /** A field of a request is absent. */
    required: true;
    /** PostgreSQL or the broker does not answer. */
    'server-away': true;
    /** The log ends before what is committed of it. */
    'stream-behind': true;
    /** A partition that was read has no stream. */
    'stream-missing': true;
    /** An event exists with the id of another. */
    'stream-output-differs': true;
    /** The partition's stream was made anew. */
    'stream-replaced': true;
    /** A setting differs from that with which the streams were made. */
    'stream-settings': true;
    /** The log begins after what a restart must read. */
    'stream-trimmed': true;
    /** A text contains characters that the database cannot store. */
    'text-invalid': true;
    /** The zones of a version are no longer kept. */
    'zones-pruned': true;
    /** The row was changed since the client read it. */
    'version-differs': true;
  }
}

export {};
