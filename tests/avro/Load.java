import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** Loads a schema with Java's Avro and prints its fingerprint. */
public class Load {
    public static void main(String[] args) throws Exception {
        Schema schema = new Schema.Parser().parse(Files.readString(Path.of(args[0])));
        System.out.printf("%s %016x%n", schema.getFullName(), SchemaNormalization.parsingFingerprint64(schema));
    }
}
