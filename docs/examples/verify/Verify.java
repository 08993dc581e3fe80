import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
  /** body: the bytes that came; header: such as request::getHeader; secret: whsec_...; now: Instant.now() */
  static boolean isGenuine(byte[] body, UnaryOperator<String> header, String secret, Instant now)
      throws GeneralSecurityException {
    String timestamp = Objects.requireNonNullElse(header.apply("webhook-timestamp"), "");
    if (!timestamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > 5 * 60) return false;
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    if (key.length < 24) return false; // with a secret that is not set, anybody could sign
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    mac.update((header.apply("webhook-id") + "." + timestamp + ".").getBytes(UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
    String signatures = Objects.requireNonNullElse(header.apply("webhook-signature"), "");
    return Stream.of(signatures.split(" ")).anyMatch(given -> MessageDigest.isEqual(given.getBytes(UTF_8), expected));
  }
}
