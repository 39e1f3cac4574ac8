import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * A real Neo4j Community server for the tests, on loopback only.
 *
 * java -cp 'LIB/*' Neo4jTestServer.java HOME PORT, with the password in NEO4J_TEST_PASSWORD. It prints one
 * line when it is ready, and stops when its standard input ends, so that it never outlives who started it.
 */
public class Neo4jTestServer {
    public static void main(String[] args) throws Exception {
        var address = new SocketAddress("127.0.0.1", Integer.parseInt(args[1]));
        var service = new DatabaseManagementServiceBuilder(Path.of(args[0]))
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, address)
                .setConfig(BoltConnector.advertised_address, address)
                .setConfig(GraphDatabaseSettings.auth_enabled, true)
                .setConfig(GraphDatabaseSettings.pagecache_memory, 64L * 1024 * 1024)
                .build();
        try (var transaction = service.database("system").beginTx()) {
            transaction.execute(
                    "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED",
                    Map.of("password", System.getenv("NEO4J_TEST_PASSWORD"))).close();
            transaction.commit();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        System.out.println("Neo4jTestServer is ready on port " + args[1]);
        System.out.flush();
        while (System.in.read() >= 0) {
            continue;
        }
        System.exit(0);
    }
}
